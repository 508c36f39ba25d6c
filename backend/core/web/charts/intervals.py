"""Estimates with their uncertainty: a dot and its interval a row."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.safestring import SafeString

from backend.core.web.charts.axes import amounts_across, ticks_that_fit
from backend.core.web.charts.model import Band, Chart, DataTable, DotIntervalChart, Estimate, check_values
from backend.core.web.charts.scale import Scale, nice_ticks, write_value
from backend.core.web.charts.svg import (
    NARROW,
    WIDE,
    Frame,
    document,
    dot,
    draw_mark,
    fit,
    label_column,
    line,
    rect,
    series_class,
    text,
    text_width,
    tip_text,
)
from backend.core.web.formats import NOTHING

_ROW = 30
_DEPTHS = 6
# Fewer would let a value just below zero take half of the axis.
_FEWEST_TICKS = 4


def dot_interval_chart(asked: DotIntervalChart) -> Chart:
    """Rows without an estimate keep their place and say so."""
    values = _values(asked)
    check_values(asked.title, values)
    measure = f", {asked.unit}" if asked.unit else ""
    summary = f"{asked.title}: {len(asked.estimates)} estimates with intervals{measure}."
    rows = tuple((row.label, *_format_row(asked, row)) for row in asked.estimates)
    table = DataTable(("", asked.unit or "Estimate", "Low", "High"), rows)
    drawn = any(row.value is not None for row in asked.estimates)
    svg = _rows(asked, summary, values) if drawn else SafeString("")
    return Chart(asked.title, asked.unit, asked.note, asked.empty, summary, svg, (), table)


def _values(asked: DotIntervalChart) -> list[float]:
    limits = (asked.lower, asked.upper, asked.reference)
    numbers = (number for row in asked.estimates for number in (row.value, row.low, row.high))
    return [number for number in (*limits, *numbers) if number is not None]


def _format_row(asked: DotIntervalChart, row: Estimate) -> tuple[str, str, str]:
    value, low, high = (
        NOTHING if number is None else write_value(number, asked.style)
        for number in (row.value, row.low, row.high)
    )
    return value, low, high


def _phrase(asked: DotIntervalChart, row: Estimate) -> str:
    value, low, high = _format_row(asked, row)
    if row.value is None:
        return "no estimate"
    return value if row.low is None or row.high is None else f"{value} [{low}, {high}]"


def _rows(asked: DotIntervalChart, summary: str, values: list[float]) -> SafeString:
    width = WIDE if asked.wide else NARROW
    left = label_column((row.label for row in asked.estimates), width)
    room = max(text_width(_phrase(asked, row)) for row in asked.estimates) + 16
    top = 20.0 if asked.bands else 4.0
    bottom = top + _ROW * len(asked.estimates)
    frame = Frame(width, bottom + 26, left + 8, width - room, top, bottom)
    ticks = nice_ticks(min(values), max(values), max(_FEWEST_TICKS, ticks_that_fit(frame)))
    scale = Scale(ticks[0], ticks[-1], frame.left, frame.right)
    shapes = [*_bands(asked.bands, frame, scale), *amounts_across(frame, scale, ticks, asked.style)]
    if asked.reference is not None:
        x = scale(asked.reference)
        shapes.append(line(x, frame.top, x, frame.bottom, "reference-line"))
    for index, row in enumerate(asked.estimates):
        top = frame.top + index * _ROW
        shapes.append(text(0, top + 20, fit(row.label, left - 10), "label"))
        shapes.append(_row(asked, row, frame, scale, top))
    return document(frame, summary, shapes)


def _bands(bands: Sequence[Band], frame: Frame, scale: Scale) -> list[SafeString]:
    """Shaded, with their names above if there is room for all of them."""
    seen = [
        (order, band.label, scale(max(band.low, scale.low)), scale(min(band.high, scale.high)))
        for order, band in enumerate(bands, 1)
        if band.high > scale.low and band.low < scale.high
    ]
    shapes = [
        rect(left, frame.top, right - left, frame.bottom - frame.top, f"band band-{min(order, _DEPTHS)}")
        for order, _, left, right in seen
    ]
    if all(text_width(label) <= right - left + 8 for _, label, left, right in seen):
        shapes += [
            text((left + right) / 2, frame.top - 7, label, "tick", "middle") for _, label, left, right in seen
        ]
    return shapes


def _row(asked: DotIntervalChart, row: Estimate, frame: Frame, scale: Scale, top: float) -> SafeString:
    middle, series = top + _ROW / 2, series_class(0)
    shapes = [rect(0, top, frame.width, _ROW, "hit", 4)]
    if row.low is not None and row.high is not None:
        shapes.append(line(scale(row.low), middle, scale(row.high), middle, f"mark-whisker {series}"))
    if row.value is not None:
        shapes.append(dot(scale(row.value), middle, 5, f"mark-dot {series}"))
    shapes.append(text(frame.width, top + 20, _phrase(asked, row), "value", "end"))
    return draw_mark(tip_text(row.label, f"{_phrase(asked, row)} {asked.unit}".strip(), row.note), shapes)
