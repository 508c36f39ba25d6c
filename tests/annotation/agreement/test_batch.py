"""A batch's report: every code with what fits it, means from the same resamples, and the items behind each number."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from annotation.agreement.batch import measure_batch
from annotation.agreement.ratings import RatingsUnusable
from annotation.agreement.registry import statistic_names
from annotation.agreement.reports import BatchAgreement
from annotation.agreement.values import ItemAnswer, MeasurementLevel
from codebook.schema import Part
from tests.annotation.agreement.batch_cases import (
    LEVELS,
    SCALE,
    SENTENCES,
    TICK,
    batch,
    judged,
    said,
    ticks,
)
from tests.annotation.agreement.measured import measured, noisy_rows

RATERS = ("Ada", "Ben", "Cleo")


def answers_of(rows: list[list[float]], code_id: str) -> list[ItemAnswer]:
    return [
        said(f"i{at:03}", rater, {code_id: int(value)})
        for at, row in enumerate(rows)
        for rater, value in zip(RATERS, row, strict=True)
    ]


def test_each_kind_of_answer_gets_the_alpha_that_fits_it() -> None:
    values = {"comfort": 1, "depth": 2, "warmth": 5, "cause": 0}
    found = measure_batch(batch([TICK, LEVELS, SCALE, SENTENCES], [said("i", "Ada", values)]), seed=1)
    assert [code.level.value for code in found.codes] == ["nominal", "ordinal", "interval", "nominal"]
    assert [code.marks.unit if code.marks else None for code in found.codes] == [
        "token",
        "token",
        None,
        "sentence",
    ]
    assert [code.sentences is not None for code in found.codes] == [False, False, False, True]


def test_marked_sentences_have_the_averaged_pairwise_kappa_of_scikit_learn() -> None:
    """Over all sentences of all items that both answered; one rater skipped the last items."""
    rng = np.random.default_rng(8)
    marks = rng.random((30, 3, 3)) < 0.3
    marks[:, 1] ^= rng.random((30, 3)) < 0.1
    answers = [
        said(f"i{item:02}", rater, {"cause": int(own.any())}, sentences={"cause": tuple(np.flatnonzero(own))})
        for item, by_rater in enumerate(marks)
        for rater, own in zip(RATERS, by_rater, strict=True)
        if rater != "Cleo" or item < 20
    ]
    found = measure_batch(batch([SENTENCES], answers), seed=1).codes[0].sentences
    assert found is not None
    expected = [
        cohen_kappa_score(*(marks[:n, at].ravel() for at in pair))
        for pair, n in (((0, 1), 30), ((0, 2), 20), ((1, 2), 20))
    ]
    assert [pair.kappa.value for pair in found.pairs] == pytest.approx(expected, abs=1e-12)
    assert [pair.kappa.n_items for pair in found.pairs] == [90, 60, 60]
    assert found["cohen_kappa_mean"].value == pytest.approx(np.mean(expected), abs=1e-12)


def test_a_code_has_the_same_numbers_as_its_table_of_ratings() -> None:
    rows = noisy_rows(np.random.default_rng(1), 40, error=0.2)
    found = measure_batch(batch([TICK], answers_of(rows, "comfort")), resamples=0, seed=1).codes[0]
    alone = measured(rows)
    for measure in statistic_names():
        assert found.ratings[measure] == alone[measure]
    assert found.ratings.prevalence == alone.prevalence
    assert found.disagreed == tuple(f"i{at:03}" for at, row in enumerate(rows) if len(set(row)) > 1)


def test_levels_are_ordered_and_scales_have_distances() -> None:
    rows = [[0, 1], [1, 2], [2, 2], [0, 0], [2, 1]]
    answers = [
        said(str(at), rater, {"depth": value, "warmth": value + 1})
        for at, row in enumerate(rows)
        for rater, value in zip(("Ada", "Ben"), row, strict=True)
    ]
    levels, scale = measure_batch(batch([LEVELS, SCALE], answers), resamples=0, seed=1).codes
    ordinal, interval = (
        measured(rows, level=level)["krippendorff_alpha"].value
        for level in (MeasurementLevel.ORDINAL, MeasurementLevel.INTERVAL)
    )
    assert levels.ratings["krippendorff_alpha"].value == pytest.approx(ordinal)
    assert scale.ratings["krippendorff_alpha"].value == pytest.approx(interval)
    assert (levels.found_share, scale.found_share) == (0.7, None)


def test_the_order_of_judgments_does_not_matter() -> None:
    judgments = batch([TICK], answers_of(noisy_rows(np.random.default_rng(1), 30, error=0.2), "comfort"))
    turned = replace(
        judgments,
        items=judgments.items[::-1],
        raters=judgments.raters[::-1],
        answers=judgments.answers[::-1],
    )
    assert measure_batch(judgments, resamples=50, seed=3) == measure_batch(turned, resamples=50, seed=3)


def test_posts_are_drawn_with_all_their_items() -> None:
    rows = noisy_rows(np.random.default_rng(4), 60, error=0.2)
    answers = answers_of([row for row in rows for _ in range(3)], "comfort")
    posts = {answer.item_id: f"p{int(answer.item_id[1:]) // 3}" for answer in answers}
    alone = measure_batch(batch([TICK], answers), seed=1).codes[0].ratings["fleiss_kappa"]
    together = measure_batch(batch([TICK], answers, posts=posts), seed=1).codes[0].ratings["fleiss_kappa"]
    assert alone.value == pytest.approx(together.value)
    assert together.low is not None and together.high is not None
    assert alone.low is not None and alone.high is not None
    assert together.high - together.low > 1.4 * (alone.high - alone.low)


def two_codes(*, copied: bool) -> BatchAgreement:
    rng = np.random.default_rng(6)
    one = noisy_rows(rng, 80, error=0.2)
    other = one if copied else noisy_rows(rng, 80, error=0.2)
    answers = [
        said(f"i{at:03}", rater, {"comfort": int(one[at][who]), "second": int(other[at][who])})
        for at in range(80)
        for who, rater in enumerate(RATERS)
    ]
    return measure_batch(batch([TICK, replace(TICK, code_id="second")], answers), seed=1)


def test_means_over_codes_come_from_the_same_resamples() -> None:
    copied, apart = two_codes(copied=True), two_codes(copied=False)
    mean = copied.means[0]["fleiss_kappa"]
    assert mean == copied.codes[0].ratings["fleiss_kappa"]
    joint, (one, other) = (
        apart.means[0]["fleiss_kappa"],
        (code.ratings["fleiss_kappa"] for code in apart.codes),
    )
    assert one.value is not None and other.value is not None
    assert joint.value == pytest.approx((one.value + other.value) / 2)
    assert joint.low is not None and joint.high is not None and one.low is not None and one.high is not None
    assert joint.high - joint.low < one.high - one.low


def test_means_are_by_part_and_over_all_and_leave_out_what_is_undefined() -> None:
    never = replace(TICK, code_id="never")
    on_post = replace(TICK, code_id="on_post", part=Part.POST)
    values = [(1, 1), (1, 0), (0, 0), (1, 1)]
    answers = [
        said(str(at), rater, {"comfort": value, "never": 0, "on_post": value})
        for at, row in enumerate(values)
        for rater, value in zip(("Ada", "Ben"), row, strict=True)
    ]
    found = measure_batch(batch([TICK, never, on_post], answers), resamples=10, seed=1)
    assert [(mean.part, mean.n_codes) for mean in found.means] == [
        (Part.POST, 1),
        (Part.REPLY, 2),
        (None, 3),
    ]
    reply = found.means[1]
    assert reply["cohen_kappa_mean"].value == pytest.approx(0.5)
    assert reply["cohen_kappa_mean"].note.startswith(
        "Undefined for 1 of 2 codes; the mean is over the others."
    )
    assert reply["raw_agreement"].value == pytest.approx((0.75 + 1) / 2)


def test_the_heatmap_has_means_over_codes_for_each_pair() -> None:
    found = two_codes(copied=False)
    assert [(pair.rater, pair.other) for pair in found.pairs] == [
        ("Ada", "Ben"),
        ("Ada", "Cleo"),
        ("Ben", "Cleo"),
    ]
    for at, pair in enumerate(found.pairs):
        one, other = (code.ratings.pairs[at].kappa.value for code in found.codes)
        assert one is not None and other is not None
        assert pair.kappa.value == pytest.approx((one + other) / 2)
        assert pair.kappa.n_items == 80


def test_a_rare_code_is_warned_about() -> None:
    rows = {f"i{at}": {"Ada": int(at == 1), "Ben": int(at == 2)} for at in range(100)}
    rare = measure_batch(batch([TICK], ticks(rows)), resamples=0, seed=1).codes[0]
    assert rare.found_share == 0.01
    assert rare.prevalence_warning.startswith("This code is found in only 1.0% of the ratings")
    assert "AC1 0.98" in rare.prevalence_warning
    assert "to be read by its interval" in rare.prevalence_warning
    even = {f"i{at}": {"Ada": at % 2, "Ben": at % 2} for at in range(100)}
    assert measure_batch(batch([TICK], ticks(even)), resamples=0, seed=1).codes[0].prevalence_warning == ""


def test_high_agreement_with_low_kappa_is_warned_about() -> None:
    rows = {f"i{at}": {"Ada": int(at % 10 != 0), "Ben": int(at % 10 != 1)} for at in range(100)}
    found = measure_batch(batch([TICK], ticks(rows)), resamples=0, seed=1).codes[0]
    assert found.prevalence_warning.startswith("Raters agree on 80% of the comparisons although kappa is low")


def test_an_empty_batch_has_a_report_without_numbers() -> None:
    found = measure_batch(batch([TICK, SENTENCES], []), seed=1)
    assert (found.n_items, found.raters, found.pairs, found.flags) == (0, (), (), ())
    assert all(code.ratings[measure].value is None for code in found.codes for measure in statistic_names())


def test_answers_that_do_not_fit_are_refused() -> None:
    judgments = batch([TICK], ticks({"i": {"Ada": 1, "Ben": 1}}))
    with pytest.raises(RatingsUnusable, match="Ada answered i twice"):
        measure_batch(replace(judgments, answers=(*judgments.answers, judgments.answers[0])), seed=1)
    with pytest.raises(RatingsUnusable, match="Ada to i"):
        measure_batch(replace(judgments, items=(judged("other"),)), seed=1)


def test_very_many_posts_are_drawn_in_groups_and_lead_to_the_same_interval() -> None:
    """Beyond 5,000 posts: the histogram of patterns, which needs no groups, is the yardstick."""
    rows = noisy_rows(np.random.default_rng(8), 12_000, error=0.1, share=0.2)
    grouped = measure_batch(batch([TICK], answers_of(rows, "comfort")), seed=1).codes[0].ratings
    alone = measured(rows, resamples=1000)
    assert grouped.n_units == 12_000
    for measure in statistic_names():
        one, other = grouped[measure], alone[measure]
        assert one.value == pytest.approx(other.value, abs=1e-12)
        assert one.low is not None and one.high is not None
        assert other.low is not None and other.high is not None
        assert one.high - one.low == pytest.approx(other.high - other.low, rel=0.15)
        assert one.low == pytest.approx(other.low, abs=0.1 * (other.high - other.low))
