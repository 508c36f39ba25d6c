"""Periods are as short as the data bear, and empty ones are zeros."""

from __future__ import annotations

from collections import Counter
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from backend.design.corpora.time_line import PERIODS, _points

days = st.dates(date(2005, 1, 1), date(2025, 12, 31))


@given(st.lists(days, min_size=1, max_size=30), st.sampled_from(PERIODS))
def test_nothing_is_lost_and_no_period_is_skipped(found: list[date], period: tuple[str, object, int]) -> None:
    _, _, months = period
    start_of = next(start for name, start, _ in PERIODS if name == period[0])
    points = _points(Counter(start_of(day) for day in found), months)
    assert sum(count for _, count in points) == len(found)
    starts = [day.year * 12 + day.month for day, _ in points]
    assert starts == list(range(starts[0], starts[-1] + 1, months))
