"""From a labelled corpus to its report."""

import msgspec
from threadpoolctl import threadpool_limits

from analysis.report.charts import ChartData, HeatmapPanel, Mark, Panel
from analysis.report.content import Report, ReportOptions, Section
from analysis.report.material import ReportInput, material_of
from analysis.report.methods import methods_of
from analysis.report.registry import section_kinds
from analysis.report.summary import summary_of
from analysis.words import some_of


def build_report(given: ReportInput, options: ReportOptions | None = None) -> Report:
    """What cannot be computed is said in its section, and never stops the others. On one thread, since sums by several
    end in other last digits."""
    options = options or ReportOptions()
    with threadpool_limits(1):
        material = material_of(given, options)
        sections = tuple(
            keep_drawable(kind.compute(material, kind)) for kind in section_kinds() if kind.is_for(material)
        )
        methods = methods_of(material, sections)
    return Report(
        title=options.title or f"{given.facts.study}: what the labels say",
        facts=given.facts,
        options=options,
        ways=material.ways,
        summary=summary_of(material, sections),
        sections=sections,
        methods=methods,
        notes=(*material.level_notes, *material.notes),
    )


MOST_NAMED = 3


def keep_drawable(section: Section) -> Section:
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
