"""Plans as charts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from backend.core.web.charts import Chart, LineChart, LineSeries, line_chart
from backend.publish.planning.rows import name_of

if TYPE_CHECKING:
    from analysis.gold_plan import AssumedShare, PlannedTable

_MOST_LINES = 5


def widths_chart(table: PlannedTable) -> Chart:
    """Of the widest intervals, in points."""
    widest = sorted(table.estimates, key=lambda each: -each.parts.width)[:_MOST_LINES]
    return line_chart(
        LineChart(
            title="Width by how much more gold",
            series=[
                LineSeries(name_of(each, table.names), [(more, 100 * width) for more, width in each.curve])
                for each in widest
            ],
            x_label="more gold labels, drawn evenly",
            unit="points",
            style="decimal",
            note="The widest intervals of the table.",
        )
    )


def assumed_chart(theme: AssumedShare) -> Chart:
    alone = replace(theme, model=None)
    return line_chart(
        LineChart(
            title="Width by number of gold labels",
            series=[
                LineSeries(name, [(n, 100 * width) for n, width in each.curve])
                for name, each in (("Corrected", theme), ("Gold alone", alone))
            ],
            x_label="gold labels",
            unit="points",
            style="decimal",
            note="Drawn evenly and alone; unequal or clustered gold needs more.",
        )
    )
