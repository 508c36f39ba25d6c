"""How a quantity is spread: standing bars over an axis of numbers."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.safestring import SafeString

from backend.core.web.charts.axes import amounts_up, places_along, tick_labels
from backend.core.web.charts.model import Bin, Chart, DataTable, Histogram, check_values
from backend.core.web.charts.scale import Scale, nice_ticks, value_ticks, write_value
from backend.core.web.charts.svg import (
    NARROW,
    WIDE,
    Frame,
    amount_bar,
    document,
    draw_mark,
    rect,
    text,
    text_width,
    tip_text,
)
from backend.core.web.formats import thousands

_HEIGHT, _FOOT = 260, 50


def histogram(asked: Histogram) -> Chart:
    """Bars as wide as their bins; a bin without an upper end is as wide as the one before it."""
    edges = [edge for bin_ in asked.bins for edge in (bin_.low, bin_.high) if edge is not None]
    check_values(asked.title, [*edges, *(bin_.count for bin_ in asked.bins)])
    summary = (
        f"{asked.title}: histogram with {len(asked.bins)} bars{f', in {asked.unit}' if asked.unit else ''}."
    )
    rows = tuple((_range(bin_), write_value(bin_.count, asked.style)) for bin_ in asked.bins)
    table = DataTable((asked.x_label or "Range", asked.unit or "Count"), rows)
    svg = _standing_bars(asked, summary) if any(bin_.count for bin_ in asked.bins) else SafeString("")
    return Chart(asked.title, asked.unit, asked.note, asked.empty, summary, svg, (), table)


def _range(bin_: Bin) -> str:
    if bin_.high is None:
        return f"{thousands(bin_.low)} and over"
    return f"{thousands(bin_.low)} to under {thousands(bin_.high)}"


def _ends(bins: Sequence[Bin]) -> list[float]:
    ends: list[float] = []
    width = 1.0
    for bin_ in bins:
        width = bin_.high - bin_.low if bin_.high is not None else width
        ends.append(bin_.low + width)
    return ends


def _standing_bars(asked: Histogram, summary: str) -> SafeString:
    width = WIDE if asked.wide else NARROW
    ticks = value_ticks([bin_.count for bin_ in asked.bins], asked.style)
    left = max(map(text_width, tick_labels(ticks, asked.style))) + 14
    frame = Frame(width, _HEIGHT, left, width - 14, 12, _HEIGHT - (_FOOT if asked.x_label else 28))
    up = Scale(ticks[0], ticks[-1], frame.bottom, frame.top)
    ends = _ends(asked.bins)
    along = Scale(min(bin_.low for bin_ in asked.bins), max(ends), frame.left, frame.right)
    shapes = [*amounts_up(frame, up, ticks, asked.style), *_x_axis(asked, frame, along)]
    for bin_, end in zip(asked.bins, ends, strict=True):
        shapes.append(_standing_bar(asked, frame, bin_, (along(bin_.low), along(end)), up))
    return document(frame, summary, shapes)


def _standing_bar(
    asked: Histogram, frame: Frame, bin_: Bin, sides: tuple[float, float], up: Scale
) -> SafeString:
    x1, x2 = sides
    gap = min(1.0, (x2 - x1) / 4)
    top, bottom = sorted((up(bin_.count), up(0)))
    shapes = [
        rect(x1, frame.top, x2 - x1, frame.bottom - frame.top, "hit"),
        amount_bar(x1 + gap, top, x2 - x1 - 2 * gap, bottom - top, 0, 1.5),
    ]
    if bin_.high is None:
        shapes.append(text((x1 + x2) / 2, top - 5, "and over", "tick", "middle"))
    words = f"{write_value(bin_.count, asked.style)} {asked.unit}".strip()
    return draw_mark(tip_text(f"{asked.x_label} {_range(bin_)}".strip(), words), shapes)


def _x_axis(asked: Histogram, frame: Frame, along: Scale) -> list[SafeString]:
    ticks = nice_ticks(along.low, along.high, wanted=8 if asked.wide else 6)
    inside = [tick for tick in ticks if along.low <= tick <= along.high]
    places = [(along(tick), thousands(tick)) for tick in inside]
    return places_along(frame, places, asked.x_label)
