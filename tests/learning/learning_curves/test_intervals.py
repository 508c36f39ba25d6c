"""Intervals against scipy, and how often they hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from learning.learning_curves.intervals import mean_interval


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=20).filter(lambda found: np.std(found) > 1e-6))
def test_without_anything_shared_it_is_students(values: list[float]) -> None:
    found = mean_interval(np.array(values))
    expected = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
    assert (found.low, found.high) == pytest.approx(expected)


def test_what_is_shared_widens_it_and_one_value_has_none() -> None:
    values = np.array([0.1, 0.2, 0.4])
    narrow, wide = mean_interval(values), mean_interval(values, shared=1 / 3)
    assert narrow.low is not None and wide.low is not None
    assert (wide.value - wide.low) / (narrow.value - narrow.low) == pytest.approx(np.sqrt(2))
    assert mean_interval(values[:1]).low is None
    assert not mean_interval(values[:1]).is_above_zero and not mean_interval(values[:1]).is_below_zero
