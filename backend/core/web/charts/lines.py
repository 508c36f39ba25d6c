"""How something goes over time, or over any number: one line a series."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

from django.utils.safestring import SafeString

from backend.core.web.charts.axes import amounts_up, places_along, tick_labels
from backend.core.web.charts.model import Chart, DataTable, LineChart, LineSeries, check_values
from backend.core.web.charts.scale import Scale, date_ticks, nice_ticks, value_ticks, write_value
from backend.core.web.charts.svg import (
    NARROW,
    WIDE,
    Frame,
    document,
    dot,
    draw_mark,
    line,
    path,
    rect,
    series_class,
    text_width,
    tip_text,
)
from backend.core.web.formats import NOTHING, thousands

_HEIGHT = 280


class MixedAxis(TypeError):
    def __init__(self, chart: str) -> None:
        super().__init__(
            f"The chart “{chart}” mixes dates and numbers on one axis. Give dates only or numbers only."
        )


def line_chart(asked: LineChart) -> Chart:
    """Lines over one axis of dates or of numbers; hovering a place reads every series there."""
    places = sorted({_place(x) for series in asked.series for x, _ in series.points})
    dated = _is_dated(asked)
    check_values(asked.title, [*places, *(y for series in asked.series for _, y in series.points)])
    summary = f"{asked.title}: line chart with {len(asked.series)} lines and {len(places)} places."
    columns = (asked.x_label or ("Date" if dated else ""), *(series.name for series in asked.series))
    rows = tuple((_name(place, dated), *_values_at(asked, place)) for place in places)
    svg = _lines(asked, summary, places, dated) if places else SafeString("")
    legend = tuple(series.name for series in asked.series) if len(asked.series) > 1 else ()
    return Chart(
        asked.title, asked.unit, asked.note, asked.empty, summary, svg, legend, DataTable(columns, rows)
    )


def _is_dated(asked: LineChart) -> bool:
    kinds = {isinstance(x, date) for series in asked.series for x, _ in series.points}
    if len(kinds) > 1:
        raise MixedAxis(asked.title)
    return kinds == {True}


def _place(x: date | float) -> float:
    return float(x.toordinal()) if isinstance(x, date) else float(x)


def _name(place: float, dated: bool) -> str:
    if not dated:
        return thousands(place)
    moment = date.fromordinal(int(place))
    return f"{moment.day} {moment:%b %Y}"


def _values_at(asked: LineChart, place: float) -> tuple[str, ...]:
    found = ({_place(x): y for x, y in series.points}.get(place) for series in asked.series)
    return tuple(NOTHING if value is None else write_value(value, asked.style) for value in found)


def _lines(asked: LineChart, summary: str, places: list[float], dated: bool) -> SafeString:
    width = WIDE if asked.wide else NARROW
    ticks = value_ticks([y for series in asked.series for _, y in series.points], asked.style)
    left = max(map(text_width, tick_labels(ticks, asked.style))) + 14
    frame = Frame(width, _HEIGHT, left, width - 24, 12, _HEIGHT - (50 if asked.x_label else 28))
    up = Scale(ticks[0], ticks[-1], frame.bottom, frame.top)
    margin = 0.0 if len(places) > 1 else 0.5
    along = Scale(places[0] - margin, places[-1] + margin, frame.left, frame.right)
    shapes = [*amounts_up(frame, up, ticks, asked.style), *_x_axis(asked, frame, along, dated)]
    for index, series in enumerate(asked.series):
        shapes.extend(_line(series, index, along, up, alone=len(asked.series) == 1))
    shapes.extend(_readings(asked, frame, places, (along, up), dated))
    return document(frame, summary, shapes)


def _line(series: LineSeries, index: int, along: Scale, up: Scale, alone: bool) -> list[SafeString]:
    points = sorted((along(_place(x)), up(y)) for x, y in series.points)
    if not points:
        return []
    if len(points) == 1:
        return [dot(*points[0], 4, f"mark-dot {series_class(index)}")]
    shapes = [path(points, f"mark-area {series_class(index)}", close_at=up(0))] if alone else []
    return [*shapes, path(points, f"mark-line {series_class(index)}")]


def _readings(
    asked: LineChart, frame: Frame, places: list[float], scales: tuple[Scale, Scale], dated: bool
) -> list[SafeString]:
    """One invisible band a place, which reads out every series when it is pointed at."""
    along, up = scales
    at: dict[float, list[tuple[int, str, float]]] = {place: [] for place in places}
    for index, series in enumerate(asked.series):
        for x, y in series.points:
            at[_place(x)].append((index, series.name, y))
    xs = [along(place) for place in places]
    borders = [frame.left, *((a + b) / 2 for a, b in pairwise(xs)), frame.right]
    shapes = []
    for order, (place, x) in enumerate(zip(places, xs, strict=True)):
        here = at[place]
        words = [f"{name}: {write_value(y, asked.style)} {asked.unit}".strip() for _, name, y in here]
        parts = [
            rect(
                borders[order],
                frame.top,
                borders[order + 1] - borders[order],
                frame.bottom - frame.top,
                "reading-band",
            ),
            line(x, frame.top, x, frame.bottom, "cursor axis-line"),
            *(dot(x, up(y), 4, f"cursor mark-dot {series_class(index)}") for index, _, y in here),
        ]
        shapes.append(draw_mark(tip_text(_name(place, dated), *words), parts))
    return shapes


def _x_axis(asked: LineChart, frame: Frame, along: Scale, dated: bool) -> list[SafeString]:
    wanted = 10 if asked.wide else 6
    if dated:
        first, last = date.fromordinal(round(along.low)), date.fromordinal(round(along.high))
        places = [(along(moment.toordinal()), words) for moment, words in date_ticks(first, last, wanted)]
    else:
        ticks = nice_ticks(along.low, along.high, wanted)
        places = [(along(tick), thousands(tick)) for tick in ticks if along.low <= tick <= along.high]
    return places_along(frame, places, asked.x_label)
