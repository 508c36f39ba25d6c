"""A corpus over time: per month where there is enough, per quarter or year where months would be noise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date
from typing import Literal

from backend.core.web.charts import Chart, LineChart, LineSeries, line_chart
from corpus.summary import CommunitySummary, CorpusSummary

Counted = Literal["posts", "replies"]
ENOUGH = 5
PERIODS: tuple[tuple[str, Callable[[date], date], int], ...] = (
    ("month", lambda day: day.replace(day=1), 1),
    ("quarter", lambda day: date(day.year, 3 * ((day.month - 1) // 3) + 1, 1), 3),
    ("year", lambda day: date(day.year, 1, 1), 12),
)


def time_line(summary: CorpusSummary, counted: Counted) -> Chart:
    communities = [community for community in summary.communities if community.months]
    name, start_of, months = _period(communities, counted)
    series = tuple(
        LineSeries(community.name, _points(_counts(community, counted, start_of), months))
        for community in communities
    )
    return line_chart(
        LineChart(
            title=f"{counted.capitalize()} over time",
            series=series,
            unit=f"{counted} a {name}",
            wide=True,
            empty="No record has a date.",
        )
    )


def _period(communities: list[CommunitySummary], counted: Counted) -> tuple[str, Callable[[date], date], int]:
    """The shortest period in which communities have a handful of records on average, else years."""
    for period in PERIODS:
        counts = [_counts(community, counted, period[1]) for community in communities]
        points = sum(len(_points(count, period[2])) for count in counts)
        if points and sum(count.total() for count in counts) / points >= ENOUGH:
            return period
    return PERIODS[-1]


def _counts(community: CommunitySummary, counted: Counted, start_of: Callable[[date], date]) -> Counter[date]:
    counts: Counter[date] = Counter()
    for month in community.months:
        counts[start_of(month.month)] += month.posts if counted == "posts" else month.replies
    return counts


def _points(counts: Counter[date], months: int) -> tuple[tuple[date, int], ...]:
    """Periods with nothing in them are points at zero, not gaps to be drawn over."""
    if not counts:
        return ()
    points, day = [], min(counts)
    while day <= max(counts):
        points.append((day, counts[day]))
        ahead = day.month - 1 + months
        day = date(day.year + ahead // 12, ahead % 12 + 1, 1)
    return tuple(points)
