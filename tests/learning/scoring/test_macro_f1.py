"""Macro-F1 has no value where gold has one answer alone, and does not jump where a resample loses a rare one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.agreement.bootstrap import Values
from learning.scoring.macro_f1 import GOLD_HAS_ONE, macro_f1
from tests.learning.scoring.gold_fixtures import PRACTICES, first_code, gold_row, measured, predicted

COUNTS = st.lists(st.integers(0, 4), min_size=9, max_size=9)


def table(counts: list[int]) -> Values:
    return np.array(counts, dtype=float).reshape(3, 3)


def test_a_rare_theme_that_is_never_found_is_not_perfect_on_resamples_without_it() -> None:
    code = first_code(PRACTICES)
    rows = [gold_row(f"{at:03d}", {code: int(at == 7)}, PRACTICES) for at in range(200)]
    never = [predicted(f"{at:03d}", {code: 0}, PRACTICES) for at in range(200)]
    found = measured(rows, never, PRACTICES, resamples=400).code(code)
    assert found is not None
    score = found.headline
    assert score.value == pytest.approx(0.4987, abs=1e-4)
    assert score.high is not None and score.high < 0.5
    assert "of 400 resamples have no value and are left out of the interval." in score.note


@pytest.mark.parametrize("false_alarms", [0, 5])
def test_a_theme_that_gold_never_has_is_measured_by_nothing(false_alarms: int) -> None:
    code = first_code(PRACTICES)
    rows = [gold_row(f"{at:03d}", {code: 0}, PRACTICES) for at in range(50)]
    said = [predicted(f"{at:03d}", {code: int(at < false_alarms)}, PRACTICES) for at in range(50)]
    found = measured(rows, said, PRACTICES, resamples=20).code(code)
    assert found is not None
    assert (found.headline.value, found.headline.low, found.headline.high) == (None, None, None)
    assert found.headline.note == GOLD_HAS_ONE


@given(COUNTS, COUNTS)
def test_whether_it_has_a_value_is_for_gold_alone_to_say(one: list[int], other: list[int]) -> None:
    """So that two models on the same items have one or have none."""
    gold = table(one).sum(axis=1)
    says_other = np.zeros((3, 3))
    says_other[:, other[0] % 3] = gold
    ours, theirs = macro_f1(table(one)[None]), macro_f1(says_other[None])
    assert np.isnan(ours[0]) == np.isnan(theirs[0]) == ((gold > 0).sum() < 2)


def test_what_remains_where_a_resample_loses_a_level_still_tells() -> None:
    whole, without = table([3, 0, 0, 1, 3, 0, 0, 0, 1]), table([3, 0, 0, 1, 3, 0, 0, 0, 0])
    assert macro_f1(np.stack([whole, without])).tolist() == pytest.approx([(6 / 7 + 6 / 7 + 1) / 3, 6 / 7])
