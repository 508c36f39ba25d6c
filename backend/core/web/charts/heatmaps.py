"""A table of numbers in colour, with the numbers written in it: who agrees with whom, what goes with what."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.safestring import SafeString

from backend.core.web.charts.model import Chart, DataTable, Heatmap, LinkedText, UnevenRows, check_values
from backend.core.web.charts.scale import write_tick, write_value
from backend.core.web.charts.svg import (
    NARROW,
    WIDE,
    Frame,
    document,
    draw_mark,
    fit,
    label_column,
    rect,
    slanted_text,
    text,
    text_width,
    tip_text,
)
from backend.core.web.formats import NOTHING

_ROW, _WIDEST, _STEPS, _KEY = 34, 96, 6, 18
_NEEDED = 60
# Of slanted labels: how long they may be, and how far that takes them up and to the right
_SLANT_ROOM, _RISE, _REACH = 130, 0.58, 0.82


def heatmap(asked: Heatmap) -> Chart:
    """Cells without a value keep their place, dashed."""
    if len(asked.values) != len(asked.rows) or any(len(row) != len(asked.columns) for row in asked.values):
        raise UnevenRows(asked.title, len(asked.rows), len(asked.columns))
    values = [value for row in asked.values for value in row if value is not None]
    check_values(asked.title, values)
    measure = f", {asked.unit}" if asked.unit else ""
    summary = f"{asked.title}: heatmap of {len(asked.rows)} rows and {len(asked.columns)} columns{measure}."
    rows = tuple((label, *_table_row(asked, at)) for at, label in enumerate(asked.rows))
    svg = _cells(asked, summary) if values else SafeString("")
    table = DataTable(("", *asked.columns), rows)
    return Chart(asked.title, asked.unit, asked.note, asked.empty, summary, svg, (), table)


def heat_step(asked: Heatmap, value: float) -> str:
    """The class that colours a value; what lies beyond the ends of the scale has the colour of its end."""
    if asked.diverging:
        share = value / max(abs(asked.lower), abs(asked.upper))
        step = min(round(abs(share) * _STEPS), _STEPS)
        return f"rust-{step}" if share < 0 and step else f"heat-{step}"
    share = (value - asked.lower) / (asked.upper - asked.lower)
    return f"heat-{min(max(round(share * _STEPS), 0), _STEPS)}"


def _table_row(asked: Heatmap, at: int) -> list[str]:
    """Cells without a value lead nowhere."""
    cells = [(value, _format(asked, value)) for value in asked.values[at]]
    if not asked.addresses:
        return [words for _, words in cells]
    return [
        words if value is None else LinkedText(words, url)
        for (value, words), url in zip(cells, asked.addresses[at], strict=True)
    ]


def _format(asked: Heatmap, value: float | None) -> str:
    return NOTHING if value is None else write_value(value, asked.style)


def _cells(asked: Heatmap, summary: str) -> SafeString:
    width = WIDE if asked.wide else NARROW
    left = _label_room(asked, width)
    cell = min((width - left - 8) / len(asked.columns), _WIDEST)
    is_slanted = any(text_width(label) > cell - 6 for label in asked.columns)
    room = min(max(text_width(label) for label in asked.columns), _SLANT_ROOM)
    if is_slanted:
        cell = min((width - left - 8 - room * _REACH) / (len(asked.columns) - 0.6), _WIDEST)
    top = room * _RISE + 14 if is_slanted else 24
    bottom = top + _ROW * len(asked.rows)
    frame = Frame(width, bottom + 36, left, left + cell * len(asked.columns), top, bottom)
    shapes = [*_column_labels(asked.columns, frame, cell, is_slanted), *_key(asked, frame)]
    for index, (label, row) in enumerate(zip(asked.rows, asked.values, strict=True)):
        y = top + index * _ROW
        shapes.append(text(0, y + 21, fit(label, left - 10), "label"))
        shapes.extend(_row(asked, label, row, (left, y, cell)))
    return document(frame, summary, shapes)


def _label_room(asked: Heatmap, width: float) -> float:
    """Few columns leave more room for the labels of rows."""
    widest_name = max(text_width(label) for label in asked.columns) + 10
    spare = width - 8 - min(max(_NEEDED, widest_name), _WIDEST) * len(asked.columns)
    longest = max(text_width(label) for label in asked.rows) + 12
    return max(label_column(asked.rows, width), min(longest, spare))


def _column_labels(labels: Sequence[str], frame: Frame, cell: float, is_slanted: bool) -> list[SafeString]:
    foot = frame.top - 8
    if is_slanted:
        return [
            slanted_text(frame.left + (place + 0.4) * cell, foot, fit(label, _SLANT_ROOM), "label")
            for place, label in enumerate(labels)
        ]
    return [
        text(frame.left + (place + 0.5) * cell, foot, label, "label", "middle")
        for place, label in enumerate(labels)
    ]


def _row(
    asked: Heatmap, label: str, row: Sequence[float | None], at: tuple[float, float, float]
) -> list[SafeString]:
    left, y, cell = at
    shapes = []
    for place, (column, value) in enumerate(zip(asked.columns, row, strict=True)):
        x = left + place * cell
        colour = "heat-none" if value is None else f"cell {heat_step(asked, value)}"
        drawn = [rect(x + 1.5, y + 1.5, cell - 3, _ROW - 3, colour, 4)]
        if value is None:
            shapes.extend(drawn)
            continue
        words = _format(asked, value)
        if text_width(words) <= cell + 4:
            drawn.append(text(x + cell / 2, y + 21, words, "cell", "middle"))
        shapes.append(draw_mark(tip_text(f"{label} · {column}", f"{words} {asked.unit}".strip()), drawn))
    return shapes


def _key(asked: Heatmap, frame: Frame) -> list[SafeString]:
    """What the colours mean, below the cells."""
    most = max(abs(asked.lower), abs(asked.upper))
    low, high = (-most, most) if asked.diverging else (asked.lower, asked.upper)
    steps = 2 * _STEPS + 1 if asked.diverging else _STEPS + 1
    shown = [low + (high - low) * step / (steps - 1) for step in range(steps)]
    y = frame.bottom + 14
    start = text_width(write_tick(low, asked.style, 0.1)) + 8
    shapes = [text(start - 6, y + 10, write_tick(low, asked.style, 0.1), "tick", "end")]
    shapes += [
        rect(start + step * _KEY, y, _KEY, 12, heat_step(asked, value)) for step, value in enumerate(shown)
    ]
    shapes.append(text(start + steps * _KEY + 6, y + 10, write_tick(high, asked.style, 0.1), "tick"))
    return shapes
