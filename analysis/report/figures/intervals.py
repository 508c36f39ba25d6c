"""Dots with whiskers: naive and corrected in one panel, or groups side by side with a column for each way."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.report.chart_axes import clip_mark, limits_of, tick
from analysis.report.charts import IntervalChart, Mark, Panel, Unit
from analysis.report.figures.axes import LEGEND, legend, name_below, show_amounts
from analysis.report.figures.layout import TITLE_SIZE, Room, break_to_fit, place_axes, tallest, widest
from analysis.report.figures.style import COLUMN, CORRECTED, GREY, NAIVE, PAGE, RULE, SERIES, SHAPES
from analysis.report.wording import way_name
from analysis.values import Way

_ROW, _ROOM_OF_GROUP, _DODGE = 0.2, 0.085, 0.26
_NAMES_ON_COLUMN, _NAMES_ON_PAGE = 1.35, 1.6
# The last number of an axis reaches beyond it, and must not meet the first of the next one.
_GAP, _RIGHT = 0.36, 0.2


@dataclass(frozen=True, slots=True)
class Dots:
    """A series as it is drawn."""

    name: str
    marks: tuple[Mark, ...]
    colour: str
    shape: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class Field:
    """A panel as it is drawn."""

    title: str
    labels: tuple[str, ...]
    dots: tuple[Dots, ...]


def intervals_figure(chart: IntervalChart) -> Figure:
    names = list(dict.fromkeys(series.name for panel in chart.panels for series in panel.series))
    is_grouped = any(names)
    if is_grouped:
        rows = [_by_way(panel, names) for panel in chart.panels]
    else:
        rows = _in_rows(tuple(_both_ways(panel) for panel in chart.panels))
    return _draw_rows(chart, rows, max(len(field.dots) for row in rows for field in row))


def _by_way(panel: Panel, names: Sequence[str]) -> tuple[Field, ...]:
    ways = dict.fromkeys(series.way for series in panel.series)
    return tuple(
        Field(
            f"{panel.title}, {way_name(way).lower()}" if len(ways) > 1 else panel.title,
            panel.labels,
            tuple(
                Dots(
                    series.name,
                    series.marks,
                    SERIES[names.index(series.name) % len(SERIES)],
                    SHAPES[names.index(series.name) % len(SHAPES)],
                    is_open=False,
                )
                for series in panel.series
                if series.way is way
            ),
        )
        for way in ways
    )


def _both_ways(panel: Panel) -> Field:
    is_alone = len(panel.series) == 1
    dots = tuple(
        Dots(
            "Corrected" if series.way is Way.CORRECTED else "Naive",
            series.marks,
            CORRECTED if is_alone or series.way is Way.CORRECTED else NAIVE,
            "o",
            is_open=series.way is Way.NAIVE,
        )
        for series in panel.series
    )
    return Field(panel.title, panel.labels, dots)


def _in_rows(fields: tuple[Field, ...]) -> list[tuple[Field, ...]]:
    """Panels with the same labels share them, side by side; others stand one below the other."""
    across = min(3, len(fields)) if len({field.labels for field in fields}) == 1 else 1
    return [fields[at : at + across] for at in range(0, len(fields), across)]


def _draw_rows(chart: IntervalChart, rows: list[tuple[Field, ...]], n_dots: int) -> Figure:
    across = max(len(row) for row in rows)
    width, most = (COLUMN, _NAMES_ON_COLUMN) if across == 1 else (PAGE, _NAMES_ON_PAGE)
    names = {label: break_to_fit(label, most, lines=3) for row in rows for label in row[0].labels}
    step = max(_ROW, _ROOM_OF_GROUP * n_dots + 0.08, tallest(list(names.values())) * 0.9)
    heights = [max(len(row[0].labels), 1) * step for row in rows]
    left = widest(list(names.values())) + 0.1
    inside = (width - left - _RIGHT) / across - _GAP
    titles = {
        field.title: break_to_fit(field.title, inside, size=TITLE_SIZE, is_bold=True)
        for row in rows
        for field in row
    }
    seen = {dots.name: dots for row in rows for field in row for dots in field.dots}
    room = Room(
        left=left,
        right=_RIGHT,
        top=LEGEND if len(seen) > 1 else 0.04,
        bottom=0.4,
        above=[tallest([titles[each.title] for each in row], TITLE_SIZE) + 0.08 for row in rows],
        between_rows=0.24,
        between_columns=_GAP,
    )
    figure, grid = place_axes(width, heights, [len(row) for row in rows], room, across=across)
    marks = [mark for row in rows for field in row for dots in field.dots for mark in dots.marks]
    low, high = limits_of(chart, marks, also=chart.reference)
    for fields, places in zip(rows, grid, strict=True):
        for at, (field, axes) in enumerate(zip(fields, places, strict=True)):
            axes.set_xlim(low, high)
            axes.set_title(titles[field.title])
            _field(axes, field, chart, [names[label] if not at else "" for label in field.labels])
            show_amounts(axes, chart.unit)
    name_below(figure, room.left, room.right, chart.axis)
    if len(seen) > 1:
        legend(figure, [(each.name, each.colour, each.shape, each.is_open) for each in seen.values()])
    return figure


def _field(axes: Axes, field: Field, chart: IntervalChart, names: Sequence[str]) -> None:
    n = len(field.labels)
    axes.set_ylim(n - 0.5, -0.5)
    axes.set_yticks(range(n), names, linespacing=0.95)
    axes.spines["left"].set_visible(False)
    for at in range(n):
        axes.axhline(at, color=RULE, linewidth=0.4, zorder=0)
    if chart.reference is not None:
        axes.axvline(chart.reference, color=GREY, linewidth=0.7, zorder=1)
    for place, dots in enumerate(field.dots):
        shift = (place - (len(field.dots) - 1) / 2) * min(_DODGE, 0.8 / len(field.dots))
        for at, mark in enumerate(dots.marks):
            _dot(axes, dots, mark, at + shift, chart.unit)


def _dot(axes: Axes, dots: Dots, mark: Mark, y: float, unit: Unit) -> None:
    """What lies beyond the axis stands at its edge: a whisker with an arrow, a dot with its number."""
    low, high = axes.get_xlim()
    at, whisker = clip_mark(mark, low, high)
    if at is None or mark.value is None:
        return
    if whisker:
        axes.plot(whisker, [y, y], color=dots.colour, linewidth=0.9, zorder=2)
    if mark.low is not None and mark.high is not None:
        for bound, beyond, shape in ((low, mark.low < low, "<"), (high, mark.high > high, ">")):
            if beyond and mark.low <= high and mark.high >= low:
                axes.plot([bound], [y], shape, color=dots.colour, markersize=2.4, clip_on=False, zorder=3)
    axes.plot(
        [at],
        [y],
        dots.shape,
        color=dots.colour,
        markerfacecolor="white" if dots.is_open else dots.colour,
        markersize=3.1,
        markeredgewidth=0.8,
        clip_on=False,
        zorder=4,
    )
    if at != mark.value:
        is_below = mark.value < low
        axes.annotate(
            tick(round(mark.value, 3), unit),
            (at, y),
            xytext=(4 if is_below else -4, 0),
            textcoords="offset points",
            ha="left" if is_below else "right",
            va="center",
            fontsize=5,
            color=dots.colour,
            zorder=5,
        )
