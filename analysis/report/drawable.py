"""Leaves out of charts what has no number in it, and says so."""

import msgspec

from analysis.report.charts import ChartData, HeatmapPanel, Mark, Panel
from analysis.report.content import Section
from analysis.words import some_of

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
    caption = f"{chart.caption} Nothing could be computed for {some_of(without, MOST_NAMED)}."
    return msgspec.structs.replace(chart, panels=kept, caption=caption)


def _marks(panel: Panel | HeatmapPanel) -> list[Mark]:
    if isinstance(panel, Panel):
        return [mark for series in panel.series for mark in series.marks]
    return [cell for row in panel.cells for cell in row if cell is not None]
