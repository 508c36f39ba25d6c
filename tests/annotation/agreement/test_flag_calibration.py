"""Whether "not sure" foretells disagreement."""

from dataclasses import replace

import pytest

from annotation.agreement.batch import measure_batch
from tests.annotation.agreement.batch_cases import TICK, batch, said

SECOND = replace(TICK, code_id="second")


def test_rates_of_disagreement_on_flagged_and_other_items() -> None:
    both = {"comfort": 1, "second": 1}
    answers = []
    for at in range(20):
        flagged = at % 4 == 0
        unlike = {"comfort": 0, "second": 1} if flagged else both
        answers += [said(str(at), "Ada", unlike, flagged=flagged), said(str(at), "Ben", both)]
    ada, ben = measure_batch(batch([TICK, SECOND], answers), seed=1).flags
    assert (ada.rater, ada.n_flagged, ada.n_unflagged) == ("Ada", 5, 15)
    assert (ada.flagged.value, ada.unflagged.value, ada.difference.value) == (0.5, 0, 0.5)
    assert ada.difference.low == ada.difference.high == 0.5
    assert (ben.n_flagged, ben.flagged.value, ben.difference.value) == (0, None, None)
    assert ben.difference.note == "Undefined: no flagged item was also answered by another annotator."
    assert ben.unflagged.value == pytest.approx(0.125)


def test_items_that_nobody_else_answered_do_not_count() -> None:
    answers = [said("1", "Ada", {"comfort": 1}, flagged=True), said("2", "Ada", {"comfort": 1})]
    (ada,) = measure_batch(batch([TICK], answers), seed=1).flags
    assert (ada.n_flagged, ada.n_unflagged, ada.difference.value) == (0, 0, None)


def test_a_single_flag_foretells_nothing() -> None:
    answers = []
    for at in range(20):
        own = {"comfort": int(at > 0)}
        answers += [said(str(at), "Ada", own, flagged=at == 0), said(str(at), "Ben", {"comfort": 1})]
    ada, _ = measure_batch(batch([TICK], answers), seed=1).flags
    assert (ada.n_flagged, ada.difference.value) == (1, 1)
    assert (ada.difference.low, ada.difference.high) == (None, None)
    assert ada.difference.note == "Fewer than five posts on one side. Too little to resample: no interval."
