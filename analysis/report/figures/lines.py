"""Courses over time with bands, a panel for each code."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.report.chart_axes import clip_mark, limits_of, tick
from analysis.report.charts import LineChart, Mark, Panel, Series, Unit
from analysis.report.figures.axes import LEGEND, legend, show_amounts
from analysis.report.figures.layout import TITLE_SIZE, Room, break_to_fit, place_axes, tallest
from analysis.report.figures.style import COLUMN, CORRECTED, NAIVE, PAGE
from analysis.report.wording import way_name
from analysis.values import Way

_HIGH, _MOST_TICKS, _GAP = 0.95, 5, 0.46


def lines_figure(chart: LineChart) -> Figure:
    n = len(chart.panels)
    across = 1 if n == 1 else 2 if n in (2, 4) else 3
    counts = [min(across, n - at) for at in range(0, n, across)]
    ways = list(dict.fromkeys(series.way for panel in chart.panels for series in panel.series))
    width = COLUMN if across == 1 else PAGE
    inside = (width - 0.7) / across - _GAP / 2
    titles = [break_to_fit(panel.title, inside, size=TITLE_SIZE, is_bold=True) for panel in chart.panels]
    room = Room(
        left=0.56,
        right=0.14,
        top=LEGEND if len(ways) > 1 else 0.04,
        bottom=0.24,
        above=[tallest(titles[at : at + across], TITLE_SIZE) + 0.1 for at in range(0, n, across)],
        between_rows=0.26,
        between_columns=_GAP,
    )
    figure, grid = place_axes(width, [_HIGH] * len(counts), counts, room, across=across)
    places = [axes for row in grid for axes in row]
    for panel, title, axes in zip(chart.panels, titles, places, strict=True):
        axes.set_title(title)
        _panel(axes, panel, chart)
    figure.text(0.01, 0.5, chart.axis, rotation=90, ha="left", va="center", fontsize=7)
    if len(ways) > 1:
        legend(figure, [(way_name(way), _colour(way, ways), "o", way is Way.NAIVE) for way in ways])
    return figure


def _colour(way: Way, ways: Sequence[Way]) -> str:
    return CORRECTED if way is Way.CORRECTED or len(ways) == 1 else NAIVE


def _panel(axes: Axes, panel: Panel, chart: LineChart) -> None:
    ways = [series.way for series in panel.series]
    low, high = limits_of(chart, [mark for series in panel.series for mark in series.marks])
    axes.set_ylim(low, high)
    axes.set_xlim(-0.3, max(len(panel.labels) - 0.7, 0.3))
    for series in panel.series:
        _line(axes, series, _colour(series.way, ways))
        _numbers_at_the_edge(axes, series, _colour(series.way, ways), chart.unit)
    show_amounts(axes, chart.unit, on_y=True)
    step = -(-len(panel.labels) // _MOST_TICKS)
    shown = range(0, len(panel.labels), step)
    axes.set_xticks(list(shown), [_period(panel.labels[at], panel.labels) for at in shown])


def _period(label: str, labels: Sequence[str]) -> str:
    """The beginning of a period, as short as it can be: 2019, 2019-04, or months since joining."""
    if all(each.endswith("-01-01") for each in labels):
        return label[:4]
    return label.removesuffix("-01")


def _line(axes: Axes, series: Series, colour: str) -> None:
    """Broken where a period has no estimate; what lies beyond the axis stands at its edge."""
    low, high = axes.get_ylim()
    for part in _unbroken(series.marks):
        shown = [(at, *clip_mark(mark, low, high)) for at, mark in part]
        axes.plot(
            [at for at, _, _ in shown],
            [value for _, value, _ in shown if value is not None],
            "o-",
            color=colour,
            linewidth=1.0,
            markersize=2.6,
            markerfacecolor="white" if series.way is Way.NAIVE else colour,
            markeredgewidth=0.7,
            clip_on=False,
            zorder=3,
        )
        banded = [(at, *band) for at, _, band in shown if band]
        if len(banded) > 1:
            at, foot, top = zip(*banded, strict=True)
            axes.fill_between(at, foot, top, color=colour, alpha=0.18, linewidth=0, zorder=2)
        elif banded:
            axes.plot([banded[0][0]] * 2, banded[0][1:], color=colour, linewidth=0.9, zorder=2)


def _numbers_at_the_edge(axes: Axes, series: Series, colour: str, unit: Unit) -> None:
    low, high = axes.get_ylim()
    for at, mark in enumerate(series.marks):
        value, _ = clip_mark(mark, low, high)
        if mark.value is None or value is None or value == mark.value:
            continue
        is_below = mark.value < low
        axes.annotate(
            tick(round(mark.value, 3), unit),
            (at, value),
            xytext=(0, 4 if is_below else -4),
            textcoords="offset points",
            ha="center",
            va="bottom" if is_below else "top",
            fontsize=5,
            color=colour,
            zorder=5,
        )


def _unbroken(marks: Sequence[Mark]) -> list[list[tuple[int, Mark]]]:
    parts: list[list[tuple[int, Mark]]] = [[]]
    for at, mark in enumerate(marks):
        if mark.value is None:
            parts.append([])
        else:
            parts[-1].append((at, mark))
    return [part for part in parts if part]
