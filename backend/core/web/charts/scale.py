"""From numbers to places on the page: round axis ticks, linear scales, and how ticks are written."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, timedelta

from backend.core.web.charts.model import NumberStyle
from backend.core.web.formats import percent, thousands

_SMALLEST = 1e-12
_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)
_MONTH_STEPS = (1, 3, 6, 12, 24, 60, 120, 240, 600, 1200)
_DAY_STEPS = (1, 2, 7, 14)


@dataclass(frozen=True)
class Scale:
    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 2)


def nice_ticks(low: float, high: float, wanted: int = 5, whole: bool = False) -> tuple[float, ...]:
    """Round, evenly spaced ticks that cover low to high.

    >>> nice_ticks(0, 93)
    (0.0, 20.0, 40.0, 60.0, 80.0, 100.0)
    >>> nice_ticks(0, 3, whole=True)
    (0.0, 1.0, 2.0, 3.0)
    """
    low, high = min(low, high), max(low, high)
    # A span far below the numbers' own size is rounding, not data: widen it to what a float can resolve.
    size = max(abs(low), abs(high))
    if high - low <= max(size * 1e-9, _SMALLEST):
        pad = size * 0.5 if size > _SMALLEST else 1.0
        low, high = low - pad, high + pad
    step = _round_step((high - low) / wanted)
    if whole:
        step = max(1.0, step if step != 2.5 else 5.0)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    places = max(0, 2 - math.floor(math.log10(step)))
    return tuple(round(number * step, min(places, 300)) + 0.0 for number in range(first, last + 1))


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next(base * power for base in _ROUND if rough <= base * power * (1 + 1e-12))


def value_ticks(values: list[float], style: NumberStyle, wanted: int = 5) -> tuple[float, ...]:
    """Ticks for an axis of amounts, which always starts at zero: a cut-off bar misleads."""
    low, high = min(0.0, *values), max(0.0, *values)
    if low == high:
        high = 1.0
    return nice_ticks(low, high, wanted, whole=style == "count" and high - low >= 1)


def write_value(value: float, style: NumberStyle) -> str:
    if style == "percent":
        return percent(value)
    if style == "decimal":
        return f"{value:,.2f}"
    return thousands(value)


def write_tick(value: float, style: NumberStyle, step: float) -> str:
    if style == "percent":
        return percent(value, 0 if step >= 0.01 else 1)
    for size, suffix in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            scaled = value / (1000.0 if suffix == "k" else size)
            return f"{scaled:.2f}".rstrip("0").rstrip(".") + suffix
    if step >= 1:
        return thousands(value)
    places = max(1, min(9, math.ceil(-math.log10(step) - 1e-9)))
    if not math.isclose(step, round(step, places)):
        places += 1
    return f"{value:.{places}f}"


def date_ticks(first: date, last: date, wanted: int = 6) -> tuple[tuple[date, str], ...]:
    """Ticks on whole years, months or days, inside the range.

    >>> [label for _, label in date_ticks(date(2019, 3, 5), date(2023, 8, 1))]
    ['2020', '2021', '2022', '2023']
    """
    days = (last - first).days
    if days <= 62:
        step = next((size for size in _DAY_STEPS if days / size <= wanted), 14)
        moments = [first + timedelta(days=offset) for offset in range(0, days + 1, step)]
        return tuple((moment, f"{moment.day} {moment:%b}") for moment in moments)
    months = next((size for size in _MONTH_STEPS if days / (30.44 * size) <= wanted), _MONTH_STEPS[-1])
    start = -(-_month_number(first) // months) * months
    moments = [
        date(number // 12, number % 12 + 1, 1) for number in range(start, _month_number(last) + 1, months)
    ]
    return tuple(
        (moment, f"{moment:%Y}" if months >= 12 else f"{moment:%b %Y}")
        for moment in moments
        if moment >= first
    )


def _month_number(moment: date) -> int:
    return moment.year * 12 + moment.month - 1
