"""Curves that are made to rise, and read."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import isotonic_regression

from learning.learning_curves.labels_needed import labels_needed, smooth_upwards

scores = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(scores)
def test_a_risen_curve_is_the_nearest_that_never_falls(found: list[float]) -> None:
    assert smooth_upwards(found) == pytest.approx(isotonic_regression(np.array(found)))


@given(scores, st.floats(0, 1))
def test_what_is_needed_lies_where_the_curve_crosses(found: list[float], target: float) -> None:
    sizes = [100.0 * (at + 1) for at in range(len(found))]
    answer = labels_needed(sizes, found, target)
    risen = smooth_upwards(found)
    if answer is None:
        assert risen[-1] < target
    else:
        assert np.interp(answer, sizes, risen) >= min(target, risen[-1]) - 1e-9
        assert sizes[0] <= answer <= sizes[-1]


def test_a_lucky_spike_does_not_count_as_reaching() -> None:
    assert labels_needed([1, 2, 3, 4], [0.1, 0.9, 0.1, 0.5], 0.8) is None
    assert labels_needed([100, 200], [0.7, 0.9], 0.5) == 100
