"""Panels of dots with whiskers: a row a code, naive and corrected or groups below each other in it."""

from __future__ import annotations

from django.utils.safestring import SafeString

from analysis.report.chart_axes import clip_mark, limits_of
from analysis.report.charts import IntervalChart, Mark, Panel, Series
from analysis.report.wording import way_name
from analysis.values import Way
from backend.core.web.charts.report.marks import format_value, mark_tip, ticks_of
from backend.core.web.charts.scale import Scale
from backend.core.web.charts.svg import (
    NARROW,
    Frame,
    document,
    dot,
    draw_mark,
    label_column,
    label_lines,
    line,
    rect,
    series_class,
    text,
)

_LINE, _PAD, _APART, _LABELS = 17, 14, 4.5, 170


def dots_panel(chart: IntervalChart, panel: Panel, names: tuple[str, ...]) -> SafeString:
    """`names` are those of all series, which give them their colours. All panels have one axis."""
    all_marks = [mark for each in chart.panels for series in each.series for mark in series.marks]
    low, high = limits_of(chart, all_marks, also=chart.reference)
    left = min(label_column(panel.labels, NARROW), _LABELS)
    row = _LINE * max(len(names), 1) + _PAD
    frame = Frame(NARROW, row * len(panel.labels) + 26, left + 8, NARROW - 14, 4, 4 + row * len(panel.labels))
    scale = Scale(low, high, frame.left, frame.right)
    shapes = []
    for tick, words in ticks_of(chart, all_marks, also=chart.reference):
        x = scale(tick)
        shapes.append(line(x, frame.top, x, frame.bottom, "axis-line" if tick == 0 else "grid-line"))
        shapes.append(text(x, frame.bottom + 17, words, "tick", "middle"))
    for at, label in enumerate(panel.labels):
        top = frame.top + at * row
        shapes.append(line(0, top, frame.width, top, "grid-line"))
        shapes += label_lines(0, top + row / 2, label, left - 6)
        both = len({series.way for series in panel.series}) > 1
        for series in panel.series:
            away = (-_APART if series.way is Way.NAIVE else _APART) if both else 0.0
            middle = top + _PAD / 2 + _LINE * (names.index(series.name) + 0.5) + away
            shapes.append(_dot(chart, panel, label, series, series.marks[at], names, (frame, scale, middle)))
    return document(frame, f"{chart.title}, {panel.title}: {len(panel.labels)} rows with intervals.", shapes)


def _dot(
    chart: IntervalChart,
    panel: Panel,
    label: str,
    series: Series,
    mark: Mark,
    names: tuple[str, ...],
    where: tuple[Frame, Scale, float],
) -> SafeString:
    frame, scale, middle = where
    colour = colour_of(series, names)
    shapes = [rect(frame.left, middle - _APART, frame.right - frame.left, 2 * _APART, "hit", 3)]
    if mark.value is not None:
        at, whisker = clip_mark(mark, scale.low, scale.high)
        if whisker:
            shapes.append(
                line(scale(whisker[0]), middle, scale(whisker[1]), middle, f"mark-whisker {colour}")
            )
        kind, size = ("mark-open", 3.5) if series.way is Way.NAIVE else ("mark-dot", 5)
        place = scale(scale.low if at is None else at)
        shapes.append(dot(place, middle, size, f"{kind} {colour}"))
        if at != mark.value:
            is_below = mark.value < scale.low
            beside, anchor = (place + 8, "start") if is_below else (place - 8, "end")
            shapes.append(text(beside, middle + 4, format_value(mark.value, chart.unit), "tick", anchor))
    tip = mark_tip(mark, chart.unit, label, series.name, panel.title, way_name(series.way).lower())
    return draw_mark(tip, shapes, f"way-{series.way.value}")


def colour_of(series: Series, names: tuple[str, ...]) -> str:
    """Groups have colours of their own; else naive is grey beside corrected."""
    if any(names):
        return series_class(names.index(series.name))
    return "series-naive" if series.way is Way.NAIVE else series_class(0)
