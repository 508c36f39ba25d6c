"""A report's chart as one figure of a page: panels, a choice between naive and corrected, a legend, a data table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from analysis.report.charts import ChartData, HeatmapChart, IntervalChart, LineChart, Mark, Panel
from analysis.report.wording import of_labels, way_name
from analysis.values import Way
from backend.core.web.charts.model import DataTable
from backend.core.web.charts.report.cells import cells_panel
from backend.core.web.charts.report.courses import course_panel
from backend.core.web.charts.report.dots import dots_panel
from backend.core.web.charts.report.marks import format_value
from backend.core.web.charts.svg import series_class
from backend.core.web.formats import NOTHING, thousands

_BOTH = ("both", "Both")


@dataclass(frozen=True)
class Choice:
    """One of the ways a figure can be shown; figures of a single way have none."""

    value: str
    label: str
    is_first: bool


@dataclass(frozen=True)
class DrawnPanel:
    """`way` is empty where the panel has both."""

    title: str
    way: str
    svg: SafeString


@dataclass(frozen=True)
class ReportFigure:
    """`names` are those of its printed figures; a heatmap has one for each way."""

    names: tuple[str, ...]
    title: str
    axis: str
    caption: str
    legend: tuple[tuple[str, str], ...]
    choices: tuple[Choice, ...]
    has_cells: bool
    panels: tuple[DrawnPanel, ...]
    table: DataTable

    @property
    def key(self) -> str:
        return self.names[0]


def report_figures(charts: Sequence[ChartData]) -> tuple[ReportFigure, ...]:
    """In order; the naive and the corrected heatmap of one question become one figure."""
    pairs: dict[str, list[ChartData]] = {}
    for chart in charts:
        pairs.setdefault(chart.pair if isinstance(chart, HeatmapChart) else chart.name, []).append(chart)
    return tuple(_figure(together) for together in pairs.values())


def _figure(charts: Sequence[ChartData]) -> ReportFigure:
    best = charts[-1]
    ways = tuple(way for way in Way if way in _ways(charts))
    names = _series_names(best)
    is_both_first = not isinstance(best, HeatmapChart) and not any(names)
    return ReportFigure(
        names=tuple(chart.name for chart in charts),
        title=best.title,
        axis=best.axis,
        caption=best.caption.replace(f" {of_labels(ways[-1])}", "") if len(charts) > 1 else best.caption,
        has_cells=isinstance(best, HeatmapChart),
        legend=_legend(best, ways, names),
        choices=_choices(ways, has_both=not isinstance(best, HeatmapChart), is_both_first=is_both_first),
        panels=tuple(panel for chart in charts for panel in _panels(chart, names)),
        table=_table(charts),
    )


def _ways(charts: Sequence[ChartData]) -> set[Way]:
    found: set[Way] = set()
    for chart in charts:
        if isinstance(chart, HeatmapChart):
            found.add(chart.way)
        else:
            found |= {series.way for panel in chart.panels for series in panel.series}
    return found


def _series_names(chart: ChartData) -> tuple[str, ...]:
    if isinstance(chart, HeatmapChart):
        return ()
    return tuple(dict.fromkeys(series.name for panel in chart.panels for series in panel.series))


def _choices(ways: Sequence[Way], *, has_both: bool, is_both_first: bool) -> tuple[Choice, ...]:
    if len(ways) < 2:
        return ()
    asked = [*([_BOTH] if has_both else []), *((way.value, way_name(way)) for way in ways)]
    first = "both" if is_both_first else Way.CORRECTED.value
    return tuple(Choice(value, label, value == first) for value, label in asked)


def _legend(chart: ChartData, ways: Sequence[Way], names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    if isinstance(chart, HeatmapChart):
        return ()
    if any(names):
        return tuple((series_class(at), name) for at, name in enumerate(names))
    if len(ways) < 2:
        return ()
    return (("series-naive", way_name(Way.NAIVE)), (series_class(0), way_name(Way.CORRECTED)))


def _panels(chart: ChartData, names: tuple[str, ...]) -> Iterator[DrawnPanel]:
    if isinstance(chart, HeatmapChart):
        for cells in chart.panels:
            yield DrawnPanel(cells.title, chart.way.value, cells_panel(chart, cells))
    elif isinstance(chart, IntervalChart):
        for panel in chart.panels:
            yield DrawnPanel(panel.title, "", dots_panel(chart, panel, names))
    else:
        for panel in chart.panels:
            yield DrawnPanel(panel.title, "", course_panel(chart, panel))


def _table(charts: Sequence[ChartData]) -> DataTable:
    columns = ("", "Way", "Value", "Low", "High", "n", "Gold")
    return DataTable(columns, tuple(row for chart in charts for row in _rows(chart)))


def _rows(chart: ChartData) -> Iterator[tuple[str, ...]]:
    if isinstance(chart, HeatmapChart):
        for cells in chart.panels:
            for name, row in zip(cells.rows, cells.cells, strict=True):
                for other, mark in zip(cells.columns, row, strict=True):
                    if mark is not None:
                        yield _row(chart, f"{cells.title} · {name} · {other}", chart.way, mark)
        return
    for panel in chart.panels:
        yield from _panel_rows(chart, panel)


def _panel_rows(chart: IntervalChart | LineChart, panel: Panel) -> Iterator[tuple[str, ...]]:
    for series in panel.series:
        for label, mark in zip(panel.labels, series.marks, strict=True):
            about = " · ".join(word for word in (panel.title, label, series.name) if word)
            yield _row(chart, about, series.way, mark)


def _row(chart: ChartData, about: str, way: Way, mark: Mark) -> tuple[str, ...]:
    numbers = (format_value(value, chart.unit) for value in (mark.value, mark.low, mark.high))
    gold = NOTHING if mark.n_gold is None else thousands(mark.n_gold)
    return (about, way_name(way).lower(), *numbers, thousands(mark.n), gold)
