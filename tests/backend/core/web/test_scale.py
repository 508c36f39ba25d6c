"""Axis ticks are round, even, cover the data, and stay few."""

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from backend.core.web.charts.scale import Scale, date_ticks, nice_ticks, value_ticks, write_tick

amounts = st.floats(min_value=-1e15, max_value=1e15, allow_nan=False)


@given(low=amounts, high=amounts, wanted=st.integers(2, 10))
def test_ticks_cover_the_data_evenly(low: float, high: float, wanted: int) -> None:
    ticks = nice_ticks(low, high, wanted)
    slack = (ticks[-1] - ticks[0]) * 1e-6
    assert ticks[0] <= min(low, high) + slack
    assert ticks[-1] >= max(low, high) - slack
    assert 2 <= len(ticks) <= wanted + 2
    steps = [later - earlier for earlier, later in pairwise(ticks)]
    assert all(step > 0 for step in steps)
    assert max(steps) == pytest.approx(min(steps), rel=1e-4)


@given(low=amounts, high=amounts)
def test_steps_are_round_numbers(low: float, high: float) -> None:
    assume(abs(high - low) > max(abs(low), abs(high)) * 1e-6 and abs(high - low) > 1e-6)
    ticks = nice_ticks(low, high)
    digits = f"{ticks[1] - ticks[0]:.3e}".partition("e")[0]
    assert digits in {"1.000", "2.000", "2.500", "5.000"}


@given(st.lists(st.integers(0, 10**12), min_size=1, max_size=8))
def test_counts_get_whole_ticks_from_zero(values: list[int]) -> None:
    ticks = value_ticks([float(value) for value in values], "count")
    assert ticks[0] == 0
    assert all(tick == int(tick) for tick in ticks)
    assert len({write_tick(tick, "count", ticks[1] - ticks[0]) for tick in ticks}) == len(ticks)


@given(st.dates(date(1990, 1, 1), date(2040, 1, 1)), st.integers(0, 20_000))
def test_date_ticks_lie_inside_and_in_order(first: date, days: int) -> None:
    last = first + timedelta(days=days)
    ticks = date_ticks(first, last)
    assert all(first <= moment <= last for moment, _ in ticks)
    assert [moment for moment, _ in ticks] == sorted({moment for moment, _ in ticks})
    assert len(ticks) <= 8


def test_a_scale_maps_ends_to_ends() -> None:
    scale = Scale(10, 30, 0, 200)
    assert (scale(10), scale(20), scale(30)) == (0, 100, 200)


@pytest.mark.parametrize(
    ("value", "style", "step", "words"),
    [
        (20_000, "count", 5_000, "20k"),
        (1_500_000, "count", 500_000, "1.5M"),
        (7_500, "count", 2_500, "7,500"),
        (0.25, "decimal", 0.25, "0.25"),
        (0.2, "decimal", 0.2, "0.2"),
        (0.25, "percent", 0.25, "25%"),
        (0.005, "percent", 0.005, "0.5%"),
    ],
)
def test_how_ticks_are_written(value: float, style: str, step: float, words: str) -> None:
    assert write_tick(value, style, step) == words  # type: ignore[arg-type]
