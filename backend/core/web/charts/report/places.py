"""Axes of a report's charts: where they end, and what stands at their ticks."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.report.charts import ChartData, Mark
from analysis.report.figures.limits import limits_of
from backend.core.web.charts.scale import nice_ticks


def ticks_of(
    chart: ChartData, marks: Sequence[Mark], *, also: float | None, wanted: int = 4
) -> list[tuple[float, str]]:
    """Round numbers inside the limits."""
    low, high = limits_of(chart, marks, also=also)
    scale = 1.0 if chart.unit == "number" else 100.0
    sign = "%" if chart.unit == "percent" else ""
    found = nice_ticks(low * scale, high * scale, wanted)
    return [(tick / scale, f"{tick:g}{sign}") for tick in found if low <= tick / scale <= high]
