"""The few SVG shapes all charts are made of; every label is escaped here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

NARROW, WIDE = 440, 960
SERIES_COLOURS = 8
SLANT_DEGREES = 35
_LINE_HEIGHT = 14
_LETTER_WIDTH = 6.5  # of 13-pixel Inter, which small screens use


@dataclass(frozen=True)
class Frame:
    """The outer size of a chart and the inner area where its marks stand."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float


def series_class(index: int) -> str:
    return f"series-{index % SERIES_COLOURS + 1}"


def text_width(text: str) -> float:
    return len(text) * _LETTER_WIDTH


def label_column(labels: Iterable[str], width: float) -> float:
    """Room for row labels: as much as the longest needs, at most two fifths of the chart."""
    return min(max((text_width(label) for label in labels), default=0.0) + 12, width * 0.42)


def fit(text: str, room: float) -> str:
    letters = max(1, int(room / _LETTER_WIDTH))
    return text if len(text) <= letters else text[: letters - 1].rstrip() + "…"


def two_lines(words: str, room: float) -> tuple[str, ...]:
    """A label on one line or on two, broken between words; only what still does not fit is cut.

    >>> two_lines("Seeking similar experiences or feelings", 150)
    ('Seeking similar', 'experiences or feelings')
    """
    if text_width(words) <= room:
        return (words,)
    first, _, rest = words.partition(" ")
    while rest and text_width(f"{first} {rest.split(' ')[0]}") <= room:
        word, _, rest = rest.partition(" ")
        first = f"{first} {word}"
    return (fit(first, room), fit(rest, room)) if rest else (fit(first, room),)


def label_lines(x: float, middle: float, words: str, room: float) -> list[SafeString]:
    """A label of one or two lines around the middle of its row."""
    lines = two_lines(words, room)
    top = middle + 4 - _LINE_HEIGHT * (len(lines) - 1) / 2
    return [text(x, top + at * _LINE_HEIGHT, part, "label") for at, part in enumerate(lines)]


def join(parts: Iterable[SafeString]) -> SafeString:
    # Each part was escaped when it was made; joining adds nothing of its own.
    return mark_safe("".join(parts))


def number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def text(x: float, y: float, words: str, kind: str, anchor: str = "start") -> SafeString:
    return format_html(
        '<text class="chart__{}" x="{}" y="{}" text-anchor="{}">{}</text>',
        kind,
        number(x),
        number(y),
        anchor,
        words,
    )


def slanted_text(x: float, y: float, words: str, kind: str) -> SafeString:
    """Words that rise to the right from their foot, for columns too narrow for them."""
    place = f"rotate(-{SLANT_DEGREES} {number(x)} {number(y)})"
    return format_html(
        '<text class="chart__{}" x="{}" y="{}" transform="{}">{}</text>',
        kind,
        number(x),
        number(y),
        place,
        words,
    )


def line(x1: float, y1: float, x2: float, y2: float, classes: str) -> SafeString:
    places = [number(place) for place in (x1, y1, x2, y2)]
    return format_html('<line x1="{}" y1="{}" x2="{}" y2="{}" class="{}"/>', *places, classes)


def rect(x: float, y: float, width: float, height: float, classes: str, round_by: float = 0) -> SafeString:
    places = [number(place) for place in (x, y, max(width, 0), max(height, 0), round_by)]
    return format_html('<rect x="{}" y="{}" width="{}" height="{}" rx="{}" class="{}"/>', *places, classes)


def amount_bar(
    x: float, y: float, width: float, height: float, series: int, round_by: float = 0
) -> SafeString:
    """A rectangle that stands for an amount: the tooltip is placed at it."""
    places = [number(place) for place in (x, y, max(width, 0), max(height, 0), round_by)]
    return format_html(
        '<rect x="{}" y="{}" width="{}" height="{}" rx="{}" class="mark-fill {}" data-anchor=""/>',
        *places,
        series_class(series),
    )


def dot(x: float, y: float, radius: float, classes: str) -> SafeString:
    places = [number(place) for place in (x, y, radius)]
    return format_html('<circle cx="{}" cy="{}" r="{}" class="{}" data-anchor=""/>', *places, classes)


def path(points: Iterable[tuple[float, float]], classes: str, close_at: float | None = None) -> SafeString:
    """A line through the points; with close_at, the area between it and that height."""
    places = list(points)
    steps = "L".join(f"{number(x)} {number(y)}" for x, y in places)
    end = f"V{number(close_at)}H{number(places[0][0])}Z" if close_at is not None else ""
    return format_html('<path d="M{}{}" class="{}"/>', steps, end, classes)


def outline(points: Iterable[tuple[float, float]], classes: str) -> SafeString:
    """The area inside the points."""
    steps = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return format_html('<path d="M{}Z" class="{}"/>', steps, classes)


def draw_mark(tip: str, shapes: Iterable[SafeString], classes: str = "") -> SafeString:
    named = format_html(' class="{}"', classes) if classes else ""
    return format_html('<g data-tip="{}"{}>{}</g>', tip, named, join(shapes))


def document(frame: Frame, label: str, shapes: Iterable[SafeString]) -> SafeString:
    return format_html(
        '<svg class="chart{}" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>',
        " chart--wide" if frame.width == WIDE else "",
        number(frame.width),
        number(frame.height),
        label,
        join(shapes),
    )


def tip_text(*lines: str) -> str:
    return "\n".join(words for words in lines if words)
