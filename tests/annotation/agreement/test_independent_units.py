"""An interval needs two posts that have something to say; one drawn again and again is no evidence."""

from dataclasses import replace

import numpy as np

from annotation.agreement.batch import measure_batch
from annotation.agreement.reports import Retest, RetestJudgments
from annotation.agreement.retest import measure_retest
from annotation.agreement.values import Estimate, ItemAnswer
from tests.annotation.agreement.batch_cases import SENTENCES, TICK, batch, judged, said
from tests.annotation.agreement.measured import measured, noisy_rows

TOO_LITTLE = "Too little to resample: no interval."


def has_no_interval(estimate: Estimate) -> bool:
    return (
        estimate.value is not None
        and (estimate.low, estimate.high) == (None, None)
        and estimate.note.endswith(TOO_LITTLE)
    )


def test_evidence_on_a_single_item_has_no_interval() -> None:
    places = {"Ada": (1, 2), "Ben": (2, 3), "Cleo": (1, 2, 3)}
    answers = [
        said(f"i{at:02}", rater, {"comfort": int(at == 0)}, evidence={"comfort": marked} if at == 0 else None)
        for at in range(40)
        for rater, marked in places.items()
    ]
    marks = measure_batch(batch([TICK], answers), seed=1).codes[0].marks
    assert marks is not None
    for found in (marks.mean, *(pair.estimates for pair in marks.pairs)):
        assert all(map(has_no_interval, (found.f1, found.iou, found.f1_any, found.iou_any)))
    assert marks.mean.f1.n_items == 3
    assert marks.mean.together.low is not None


def test_a_pair_that_meets_in_one_post_has_no_interval() -> None:
    rows = noisy_rows(np.random.default_rng(3), 40, error=0.3)
    table = [[one, other, third if at < 6 else None] for at, (one, other, third) in enumerate(rows)]
    clusters = ["p0" if at < 6 else f"p{at}" for at in range(40)]
    together, *with_third = measured(table, resamples=200, clusters=clusters).pairs
    assert together.raw_agreement.low is not None
    assert all(has_no_interval(pair.raw_agreement) for pair in with_third)
    assert [pair.raw_agreement.n_items for pair in with_third] == [6, 6]


def test_nor_has_it_in_the_mean_over_codes() -> None:
    rows = noisy_rows(np.random.default_rng(3), 20, error=0.3)
    answers = [
        said(f"i{at:02}", rater, {"comfort": int(value)})
        for at, row in enumerate(rows)
        for rater, value in zip(("Ada", "Ben", "Cleo"), row, strict=True)
        if rater != "Cleo" or at < 6
    ]
    posts = {f"i{at:02}": "p0" if at < 6 else f"p{at}" for at in range(20)}
    together, *with_cleo = measure_batch(batch([TICK], answers, posts=posts), seed=1).pairs
    assert together.raw_agreement.low is not None
    assert all(has_no_interval(pair.raw_agreement) for pair in with_cleo)


def test_a_mean_counts_the_posts_of_codes_that_have_a_value() -> None:
    """Everybody says no to the first code, which has no kappa; the second is answered in one post."""
    second = replace(TICK, code_id="second")
    answers: list[ItemAnswer] = []
    for at in range(10):
        for rater, value in (("Ada", at % 2), ("Ben", int(at == 1))):
            answers.append(said(f"i{at}", rater, {"comfort": 0} | ({"second": value} if at < 4 else {})))
    posts = {f"i{at}": "p" if at < 4 else f"p{at}" for at in range(10)}
    found = measure_batch(batch([TICK, second], answers, posts=posts), seed=1)
    assert has_no_interval(found.means[-1]["fleiss_kappa"])
    assert has_no_interval(found.pairs[0].kappa)
    assert found.means[-1]["raw_agreement"].low is not None


def test_flags_in_few_posts_have_no_interval() -> None:
    answers = []
    for at in range(20):
        own = {"comfort": int(at > 2)}
        answers += [said(f"i{at:02}", "Ada", own, flagged=at < 6), said(f"i{at:02}", "Ben", {"comfort": 1})]
    posts = {f"i{at:02}": "p" if at < 6 else f"p{at}" for at in range(20)}
    ada, _ = measure_batch(batch([TICK], answers, posts=posts), seed=1).flags
    assert ada.n_flagged == 6
    assert has_no_interval(ada.difference)
    assert "Fewer than five posts" in ada.difference.note


def test_a_code_that_was_answered_again_in_one_post_has_no_interval() -> None:
    second = replace(TICK, code_id="second")
    retests = []
    for at in range(10):
        before, after = {"comfort": at % 2}, {"comfort": int(at > 4)}
        if at < 3:
            before, after = before | {"second": at % 2}, after | {"second": 1}
        retests.append(Retest(said(f"i{at}", "Ada", before), said(f"i{at}", "Ada", after)))
    items = tuple(judged(f"i{at}", cluster="p" if at < 3 else None) for at in range(10))
    found = measure_retest(RetestJudgments((TICK, second), items, tuple(retests)), seed=1)
    comfort, single = found.codes
    assert comfort.pooled.raw_agreement.low is not None
    assert has_no_interval(single.pooled.raw_agreement)
    assert has_no_interval(single.raters[0].estimate.raw_agreement)


def test_notes_on_sentences_speak_of_sentences() -> None:
    answers = [
        said("1", "Ada", {"cause": 1}, sentences={"cause": (0, 1)}),
        said("1", "Ben", {"cause": 1}, sentences={"cause": (1,)}),
        said("2", "Ada", {"cause": 0}),
    ]
    found = measure_batch(batch([SENTENCES], answers), resamples=50, seed=1).codes[0].sentences
    assert found is not None
    assert found["fleiss_kappa"].note.startswith(
        "3 of 6 sentences have fewer than two ratings and are left out. A sentence with one rating"
    )
