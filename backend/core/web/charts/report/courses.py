"""Panels of lines with bands: a code over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.safestring import SafeString

from analysis.report.chart_axes import clip_mark, limits_of
from analysis.report.charts import LineChart, Mark, Panel, Series
from analysis.report.wording import way_name
from analysis.values import Way
from backend.core.web.charts.report.dots import colour_of
from backend.core.web.charts.report.marks import format_value, mark_tip, ticks_of
from backend.core.web.charts.scale import Scale
from backend.core.web.charts.svg import (
    NARROW,
    Frame,
    document,
    dot,
    draw_mark,
    line,
    outline,
    path,
    rect,
    text,
)

_HEIGHT, _MOST_TICKS = 200, 6
# Which period, and its estimate.
Point = tuple[int, Mark]


def course_panel(chart: LineChart, panel: Panel) -> SafeString:
    marks = [mark for series in panel.series for mark in series.marks]
    frame = Frame(NARROW, _HEIGHT, 46, NARROW - 14, 10, _HEIGHT - 24)
    up = Scale(*limits_of(chart, marks), frame.bottom, frame.top)
    along = Scale(-0.4, max(len(panel.labels) - 0.6, 0.4), frame.left, frame.right)
    shapes = []
    for tick, words in ticks_of(chart, marks, also=None):
        shapes.append(line(frame.left, up(tick), frame.right, up(tick), "grid-line"))
        shapes.append(text(frame.left - 8, up(tick) + 4, words, "tick", "end"))
    step = -(-len(panel.labels) // _MOST_TICKS)
    for at in range(0, len(panel.labels), max(step, 1)):
        shapes.append(text(along(at), frame.bottom + 17, _period(panel.labels[at]), "tick", "middle"))
    for series in panel.series:
        shapes += _course(chart, panel, series, along, up)
    return document(
        frame, f"{chart.title}, {panel.title}: {len(panel.labels)} periods with intervals.", shapes
    )


def _period(label: str) -> str:
    """
    >>> _period("2021-01-01"), _period("2021-04-01"), _period("month 6")
    ('2021', '2021-04', 'month 6')
    """
    return label.removesuffix("-01").removesuffix("-01") if label[:4].isdigit() else label


def _course(chart: LineChart, panel: Panel, series: Series, along: Scale, up: Scale) -> Iterator[SafeString]:
    colour, way = colour_of(series, ()), f"way-{series.way.value}"
    for part in _unbroken(series.marks):
        shown = [(at, *clip_mark(mark, up.low, up.high)) for at, mark in part]
        band = [(along(at), *whole) for at, _, whole in shown if whole]
        if len(band) > 1:
            top = [(x, up(high)) for x, _, high in band]
            foot = [(x, up(low)) for x, low, _ in reversed(band)]
            yield outline([*top, *foot], f"mark-area {colour} {way}")
        if len(part) > 1:
            yield path([(along(at), up(value or 0)) for at, value, _ in shown], f"mark-line {colour} {way}")
        for at, mark in part:
            yield _dot(chart, panel, series, at, mark, along, up)


def _dot(
    chart: LineChart, panel: Panel, series: Series, at: int, mark: Mark, along: Scale, up: Scale
) -> SafeString:
    kind, size = ("mark-open", 3.5) if series.way is Way.NAIVE else ("mark-dot", 5)
    value, _ = clip_mark(mark, up.low, up.high)
    x, y = along(at), up(value or 0)
    shapes = [rect(x - 8, y - 8, 16, 16, "hit", 8), dot(x, y, size, f"{kind} {colour_of(series, ())}")]
    if mark.value is not None and value != mark.value:
        beside = y - 9 if mark.value < up.low else y + 16
        shapes.append(text(x, beside, format_value(mark.value, chart.unit), "tick", "middle"))
    tip = mark_tip(mark, chart.unit, panel.title, _period(panel.labels[at]), way_name(series.way).lower())
    return draw_mark(tip, shapes, f"way-{series.way.value}")


def _unbroken(marks: Sequence[Mark]) -> list[list[Point]]:
    """Without the periods that have no estimate."""
    parts: list[list[Point]] = [[]]
    for at, mark in enumerate(marks):
        if mark.value is None:
            parts.append([])
        else:
            parts[-1].append((at, mark))
    return [part for part in parts if part]
