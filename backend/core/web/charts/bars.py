"""Bars that lie, so that long labels can be read: one series, or several side by side or stacked."""

from __future__ import annotations

from django.utils.safestring import SafeString

from backend.core.web.charts.axes import amounts_across, ticks_that_fit
from backend.core.web.charts.model import (
    Bar,
    BarChart,
    Chart,
    DataTable,
    GroupedBarChart,
    UnevenSeries,
    check_values,
)
from backend.core.web.charts.scale import Scale, value_ticks, write_value
from backend.core.web.charts.svg import (
    NARROW,
    WIDE,
    Frame,
    amount_bar,
    document,
    draw_mark,
    fit,
    label_column,
    line,
    rect,
    text,
    text_width,
    tip_text,
)

_ROW, _THICK = 30, 18
_THIN, _GAP = 12, 16


def bar_chart(asked: BarChart) -> Chart:
    """One bar a label, its amount written at its end."""
    check_values(asked.title, [bar.value for bar in asked.bars])
    summary = _summary(asked.title, len(asked.bars), asked.unit)
    table = DataTable(
        ("", asked.unit or "Value"),
        tuple((bar.label, write_value(bar.value, asked.style)) for bar in asked.bars),
    )
    svg = _lying_bars(asked, summary) if any(bar.value for bar in asked.bars) else SafeString("")
    return Chart(asked.title, asked.unit, asked.note, asked.empty, summary, svg, (), table)


def _lying_bars(asked: BarChart, summary: str) -> SafeString:
    width = WIDE if asked.wide else NARROW
    written = [write_value(bar.value, asked.style) for bar in asked.bars]
    left = label_column((bar.label for bar in asked.bars), width)
    amount_room = max(map(text_width, written)) + 14
    low, high = min(0.0, *(bar.value for bar in asked.bars)), max(0.0, *(bar.value for bar in asked.bars))
    start = left + amount_room if low < 0 else left
    frame = Frame(
        width, len(asked.bars) * _ROW + 4, start, width - amount_room, 2, len(asked.bars) * _ROW + 2
    )
    scale = Scale(low, high, frame.left, frame.right)
    shapes = [
        _lying_bar(frame, scale, row, bar, words, asked.unit)
        for row, (bar, words) in enumerate(zip(asked.bars, written, strict=True))
    ]
    labels = [
        text(0, frame.top + row * _ROW + 20, fit(bar.label, left - 10), "label")
        for row, bar in enumerate(asked.bars)
    ]
    return document(
        frame, summary, [*labels, *shapes, line(scale(0), frame.top, scale(0), frame.bottom, "axis-line")]
    )


def _lying_bar(frame: Frame, scale: Scale, row: int, bar: Bar, words: str, unit: str) -> SafeString:
    top = frame.top + row * _ROW
    zero, end = scale(0), scale(bar.value)
    outside, anchor = (end + 7, "start") if bar.value >= 0 else (end - 7, "end")
    length = max(abs(end - zero), 1.5 if bar.value else 0)
    shapes = [
        rect(0, top, frame.width, _ROW, "hit", 4),
        amount_bar(min(zero, end), top + 6, length, _THICK, 0, 2),
        text(outside, top + 20, words, "value", anchor),
    ]
    return draw_mark(tip_text(bar.label, f"{words} {unit}".strip(), bar.note), shapes)


def grouped_bar_chart(asked: GroupedBarChart) -> Chart:
    """Several series for each category, side by side or stacked."""
    for series in asked.series:
        check_values(asked.title, series.values)
        if len(series.values) != len(asked.categories):
            raise UnevenSeries(asked.title, series.name, len(series.values), len(asked.categories))
    summary = _summary(asked.title, len(asked.categories) * len(asked.series), asked.unit)
    columns = ("", *(series.name for series in asked.series))
    rows = tuple(
        (category, *(write_value(series.values[row], asked.style) for series in asked.series))
        for row, category in enumerate(asked.categories)
    )
    drawn = any(any(series.values) for series in asked.series)
    svg = _grouped_bars(asked, summary) if drawn else SafeString("")
    legend = tuple(series.name for series in asked.series)
    return Chart(
        asked.title, asked.unit, asked.note, asked.empty, summary, svg, legend, DataTable(columns, rows)
    )


def _grouped_bars(asked: GroupedBarChart, summary: str) -> SafeString:
    width = WIDE if asked.wide else NARROW
    row = (_THICK if asked.stacked else _THIN * len(asked.series)) + _GAP
    bottom = 4 + row * len(asked.categories)
    left = label_column(asked.categories, width)
    frame = Frame(width, bottom + 26, left, width - 18, 4, bottom)
    ticks = value_ticks(_extents(asked), asked.style, ticks_that_fit(frame))
    scale = Scale(ticks[0], ticks[-1], frame.left, frame.right)
    shapes = amounts_across(frame, scale, ticks, asked.style)
    for index, category in enumerate(asked.categories):
        top = frame.top + index * row
        shapes.append(text(0, top + row / 2 + 4, fit(category, left - 10), "label"))
        shapes.extend(_category_bars(asked, scale, index, top + _GAP / 2))
    return document(frame, summary, shapes)


def _extents(asked: GroupedBarChart) -> list[float]:
    if not asked.stacked:
        return [value for series in asked.series for value in series.values]
    by_category = list(zip(*(series.values for series in asked.series), strict=True))
    ups = [sum(value for value in values if value > 0) for values in by_category]
    return ups + [sum(value for value in values if value < 0) for values in by_category]


def _category_bars(asked: GroupedBarChart, scale: Scale, index: int, top: float) -> list[SafeString]:
    shapes = []
    up = down = 0.0
    for order, series in enumerate(asked.series):
        value = series.values[index]
        begin = (up if value >= 0 else down) if asked.stacked else 0.0
        up, down = up + max(value, 0), down + min(value, 0)
        x1, x2 = sorted((scale(begin), scale(begin + value)))
        y, height = (top, _THICK) if asked.stacked else (top + order * _THIN, _THIN - 1)
        words = f"{series.name}: {write_value(value, asked.style)} {asked.unit}".strip()
        bar = amount_bar(x1, y, x2 - x1, height, order, 0 if asked.stacked else 1.5)
        shapes.append(draw_mark(tip_text(asked.categories[index], words), [bar]))
    return shapes


def _summary(title: str, number: int, unit: str) -> str:
    return f"{title}: bar chart with {number} bars{f', in {unit}' if unit else ''}."
