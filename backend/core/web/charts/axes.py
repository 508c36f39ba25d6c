"""Grid lines and tick labels, below and beside the marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.safestring import SafeString

from backend.core.web.charts.model import NumberStyle
from backend.core.web.charts.scale import Scale, write_tick
from backend.core.web.charts.svg import Frame, line, text


def tick_labels(ticks: Sequence[float], style: NumberStyle) -> list[str]:
    step = ticks[1] - ticks[0]
    return [write_tick(tick, style, step) for tick in ticks]


def ticks_that_fit(frame: Frame) -> int:
    """How many labelled ticks a lying axis has room for."""
    return max(2, min(8, int((frame.right - frame.left) / 60)))


def amounts_across(
    frame: Frame, scale: Scale, ticks: Sequence[float], style: NumberStyle
) -> list[SafeString]:
    """Vertical grid lines with their amounts at the foot, for bars and intervals that lie."""
    shapes = []
    for tick, words in zip(ticks, tick_labels(ticks, style), strict=True):
        x = scale(tick)
        shapes.append(line(x, frame.top, x, frame.bottom, "axis-line" if tick == 0 else "grid-line"))
        shapes.append(text(x, frame.bottom + 17, words, "tick", "middle"))
    return shapes


def amounts_up(frame: Frame, scale: Scale, ticks: Sequence[float], style: NumberStyle) -> list[SafeString]:
    """Horizontal grid lines with their amounts at the left, for bars that stand and for lines."""
    shapes = []
    for tick, words in zip(ticks, tick_labels(ticks, style), strict=True):
        y = scale(tick)
        shapes.append(line(frame.left, y, frame.right, y, "axis-line" if tick == 0 else "grid-line"))
        shapes.append(text(frame.left - 8, y + 4, words, "tick", "end"))
    return shapes


def places_along(frame: Frame, places: Iterable[tuple[float, str]], label: str) -> list[SafeString]:
    """Tick labels under a horizontal axis, with the axis' own name below them."""
    shapes = []
    for x, words in places:
        shapes.append(line(x, frame.bottom, x, frame.bottom + 4, "axis-line"))
        shapes.append(text(x, frame.bottom + 18, words, "tick", "middle"))
    if label:
        shapes.append(text((frame.left + frame.right) / 2, frame.bottom + 38, label, "value", "middle"))
    return shapes
