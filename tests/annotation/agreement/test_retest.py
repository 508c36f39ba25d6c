"""Test–retest: the same annotators on the same items, twice."""

from dataclasses import replace

import pytest

from annotation.agreement.ratings import RatingsUnusable
from annotation.agreement.reports import Retest, RetestJudgments
from annotation.agreement.retest import measure_retest
from tests.annotation.agreement.batch_cases import TICK, judged, said

SECOND = replace(TICK, code_id="second")


def retest(item: str, rater: str, before: int, after: int) -> Retest:
    return Retest(
        said(item, rater, {"comfort": before, "second": 1}),
        said(item, rater, {"comfort": after, "second": 1}),
    )


def judgments(*retests: Retest) -> RetestJudgments:
    items = sorted({each.before.item_id for each in retests})
    return RetestJudgments((TICK, SECOND), tuple(judged(item) for item in items), retests)


def test_kappa_between_first_and_second_answers_pooled_and_by_annotator() -> None:
    ada = [retest(str(at), "Ada", *pair) for at, pair in enumerate([(1, 1), (1, 0), (0, 0), (1, 1)])]
    ben = [retest(str(at), "Ben", *pair) for at, pair in enumerate([(1, 1), (0, 0), (0, 0), (1, 1)])]
    found = measure_retest(judgments(*ada, *ben), resamples=200, seed=1)
    comfort, second = found.codes
    assert [(each.rater, each.estimate.kappa.value) for each in comfort.raters] == [("Ada", 0.5), ("Ben", 1)]
    assert comfort.pooled.raw_agreement.value == 7 / 8
    # Five of eight said first, four of eight second: chance agrees in half of the cases.
    assert comfort.pooled.kappa.value == pytest.approx((7 / 8 - 1 / 2) / (1 / 2))
    assert comfort.pooled.kappa.low is not None and comfort.pooled.kappa.low < 0.75
    assert (comfort.changed, second.changed) == (("1",), ())
    assert (second.pooled.kappa.value, second.pooled.raw_agreement.value) == (None, 1)
    assert found.n_items == 4


def test_means_over_codes_leave_out_what_is_undefined() -> None:
    pairs = [(1, 1), (1, 0), (0, 0), (1, 1)]
    found = measure_retest(
        judgments(*(retest(str(at), "Ada", *pair) for at, pair in enumerate(pairs))), seed=1
    )
    assert found.mean.kappa.value == 0.5
    assert found.mean.kappa.note.startswith("Undefined for 1 of 2 codes")
    assert found.mean.raw_agreement.value == pytest.approx((3 / 4 + 1) / 2)
    assert [(each.rater, each.estimate) for each in found.raters] == [("Ada", found.mean)]


def test_nothing_done_twice_has_no_agreement() -> None:
    found = measure_retest(judgments(), seed=1)
    assert found.mean.kappa.value is None and found.codes[0].pooled.kappa.value is None


def test_answers_of_two_people_are_no_retest() -> None:
    wrong = Retest(said("1", "Ada", {"comfort": 1}), said("1", "Ben", {"comfort": 1}))
    with pytest.raises(RatingsUnusable, match="Ada on 1 is set beside Ben on 1"):
        measure_retest(judgments(wrong), seed=1)
