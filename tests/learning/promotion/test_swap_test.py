"""How often coin tosses make a gain, against all tosses there are, and how often the test is wrong."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learning.promotion.swap_test import MOST_TOSSES, GainsOfTosses, Numbers, SwapTest, swap_test
from tests.examples import examples


def sum_of(parts: Numbers) -> GainsOfTosses:
    return lambda traded: (1 - 2 * traded) @ parts


def found(parts: list[float], *, least_gain: float = 0.0, tosses: int = 20_000, seed: int = 1) -> SwapTest:
    values = np.array(parts)
    return swap_test(sum_of(values), len(values), seed=seed, least_gain=least_gain, most_tosses=tosses)


def exact(parts: list[float], least_gain: float = 0.0) -> float:
    signs = np.array(list(product([1, -1], repeat=len(parts))))
    return float(np.mean(signs @ np.array(parts) >= sum(parts) - least_gain - 1e-12))


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=10), st.sampled_from([0.0, 0.3]))
@settings(max_examples=examples(20), deadline=None)
def test_it_is_the_share_of_all_tosses(parts: list[float], least_gain: float) -> None:
    expected = exact(parts, least_gain)
    assert found(parts, least_gain=least_gain).p == pytest.approx(expected, rel=0.4, abs=0.005)


def test_it_stops_early_where_chance_is_clear_and_goes_on_where_it_is_not() -> None:
    even, clear = found([1.0, -1.0] * 20), found([1.0] * 40)
    assert even.n_tosses < 1_000 and even.p > 0.3
    assert (clear.n_tosses, clear.p) == (20_000, 1 / 20_001)
    assert clear.spread == pytest.approx(np.sqrt(40), rel=0.05)


def test_no_number_of_posts_that_is_too_small_can_pass() -> None:
    """Of five posts all are better by chance in 1 of 32 cases."""
    assert found([1.0] * 5).p == pytest.approx(1 / 32, rel=0.3)
    assert found([]).p == 1.0 and found([]).n_tosses == 0


def test_a_gain_that_has_to_be_larger_is_harder_to_show() -> None:
    parts = [0.01] * 14 + [-0.01] * 6
    p = [found(parts, least_gain=least).p for least in (0.0, 0.02, 0.05, 0.5)]
    assert p == sorted(p) and p[-1] == 1.0


def test_the_same_seed_gives_the_same_and_gains_without_a_value_count_against() -> None:
    assert found([0.1, 0.2, -0.1] * 4) == found([0.1, 0.2, -0.1] * 4)
    lost = swap_test(lambda traded: np.where(traded[:, 0] == 1, np.nan, 1.0), 3, seed=1)
    assert lost.p == 1.0 and MOST_TOSSES >= 1 / 0.00001


@pytest.mark.parametrize("level", [0.05, 0.0083])
def test_models_that_are_no_better_pass_as_often_as_the_level_says(level: float) -> None:
    rng = np.random.default_rng(3)
    passes = [
        found(rng.choice([-1.0, 1.0], 30).tolist(), tosses=2_000, seed=at).p <= level for at in range(600)
    ]
    assert np.mean(passes) <= level + 2.5 * np.sqrt(level / 600)
