"""The made-up figures of a report that the style page shows."""

from __future__ import annotations

from collections.abc import Mapping

from analysis.report.charts import (
    HeatmapChart,
    HeatmapPanel,
    IntervalChart,
    LineChart,
    Mark,
    Panel,
    Series,
)
from analysis.values import MODEL_WAYS, Way
from backend.core.web.charts.report import ReportFigure, report_figures

_CODES = ("Shares an own experience", "Names the feeling", "Asks to understand", "CandidateAnswers advice")
# What a model that finds too much says, and what is left of it.
_SHARES = {Way.NAIVE: (0.21, 0.34, 0.17, 0.61), Way.CORRECTED: (0.16, 0.3, 0.18, 0.66)}
_WIDTHS = {Way.NAIVE: 0.01, Way.CORRECTED: 0.03}


def example_figures() -> tuple[ReportFigure, ...]:
    return report_figures((_dots(), *(_cells(way) for way in MODEL_WAYS), _courses()))


def _mark(value: float, way: Way) -> Mark:
    half = _WIDTHS[way]
    gold = 412 if way is Way.CORRECTED else None
    return Mark(value=value, low=value - half, high=value + half, n=12_345, n_gold=gold)


def _series(values: Mapping[Way, tuple[float, ...]]) -> tuple[Series, ...]:
    return tuple(
        Series(name="", way=way, marks=tuple(_mark(value, way) for value in own))
        for way, own in values.items()
    )


def _dots() -> IntervalChart:
    return IntervalChart(
        name="example-shares",
        title="Shares of codes",
        caption="Share of replies in which each code is found, with 95% intervals.",
        axis="Share found",
        unit="percent",
        panels=(Panel(title="Replies", labels=_CODES, series=_series(_SHARES)),),
    )


def _courses() -> LineChart:
    labels = ("2019-01-01", "2020-01-01", "2021-01-01", "2022-01-01")
    return LineChart(
        name="example-courses",
        title="Change in replies",
        caption="Mean of each code by year. Bands are 95% intervals.",
        axis="Share found",
        unit="percent",
        panels=tuple(Panel(title=code, labels=labels, series=_series(_SHARES)) for code in _CODES[:2]),
    )


def _cells(way: Way) -> HeatmapChart:
    values = ((0.34,), (0.12, 0.02), (-0.21, -0.08, 0.25))
    rows = tuple(
        tuple(
            _mark(row[at] * (1 if way is Way.CORRECTED else 0.6), way) if at < len(row) else None
            for at in range(3)
        )
        for row in values
    )
    panel = HeatmapPanel(title="New parents", rows=_CODES[1:], columns=_CODES[:3], cells=rows)
    return HeatmapChart(
        name=f"example-together-{way.value}",
        pair="example-together",
        way=way,
        title="What goes together in replies",
        caption="Correlations between codes. Pale cells have an interval that includes 0.",
        axis="Correlation (r)",
        panels=(panel,),
        limit=0.4,
    )
