"""Leaves out of charts what has no number in it, and says so."""

from collections.abc import Sequence

import msgspec

from analysis.report.charts import ChartData, HeatmapPanel, Mark, Panel
from analysis.report.content import Section
from analysis.report.wording import in_order

MOST_NAMED = 3


def drawable(section: Section) -> Section:
    """A panel without any number is left out, and a chart without any panel; the table has the notes that say why."""
    charts, missing = [], list(section.missing)
    for chart in section.charts:
        found = _with_numbers(chart)
        if found is None:
            missing.append(
                f"“{chart.title}” is not drawn: none of its numbers could be computed. Notes below the table say why."
            )
        else:
            charts.append(found)
    return msgspec.structs.replace(section, charts=tuple(charts), missing=tuple(missing))


def _with_numbers(chart: ChartData) -> ChartData | None:
    kept = tuple(panel for panel in chart.panels if any(mark.value is not None for mark in _marks(panel)))
    if len(kept) == len(chart.panels):
        return chart
    if not kept:
        return None
    without = [panel.title for panel in chart.panels if panel not in kept]
    caption = f"{chart.caption} Nothing could be computed for {_named(without)}."
    return msgspec.structs.replace(chart, panels=kept, caption=caption)


def _marks(panel: Panel | HeatmapPanel) -> list[Mark]:
    if isinstance(panel, Panel):
        return [mark for series in panel.series for mark in series.marks]
    return [cell for row in panel.cells for cell in row if cell is not None]


def _named(titles: Sequence[str]) -> str:
    shown = list(titles[:MOST_NAMED])
    if more := len(titles) - len(shown):
        shown.append(f"{more} more")
    return in_order(shown)
