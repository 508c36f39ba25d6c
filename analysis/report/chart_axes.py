"""The axes of a chart, for print and for the page alike: where they end, and how numbers stand on them and in cells.

Shares are drawn from 0 to 100% whatever a correction says: a corrected share outside stands at the edge with its
number. Of other numbers, a few on little gold have intervals so wide that nothing else could be read beside them: axes
end before, and an arrow says that the interval goes on.
"""

from collections.abc import Iterable, Sequence
from statistics import median

from analysis.report.charts import ChartData, Mark, Unit

# How far an interval may reach beyond all estimates: a part of their own range, or so many times as far as is usual.
_REACH, _TIMES_USUAL = 0.75, 2.5
_ROOM = 0.05


def limits_of(chart: ChartData, marks: Sequence[Mark], *, also: float | None = None) -> tuple[float, float]:
    """Of shares the whole of what one can be."""
    return (0.0, 1.0) if chart.unit == "percent" else limits(marks, also=also)


def clip_mark(mark: Mark, low: float, high: float) -> tuple[float | None, tuple[float, float] | None]:
    """Where its dot stands, and from where to where its whisker is drawn: None where none of it is on the axis.

    >>> clip_mark(Mark(value=-0.2, low=-0.5, high=0.1), 0.0, 1.0)
    (0.0, (0.0, 0.1))
    >>> clip_mark(Mark(value=2.0, low=1.5, high=2.5), 0.0, 1.0)
    (1.0, None)
    """
    value = None if mark.value is None else min(max(mark.value, low), high)
    if mark.low is None or mark.high is None or mark.high < low or mark.low > high:
        return value, None
    return value, (max(mark.low, low), min(mark.high, high))


def limits(marks: Sequence[Mark], *, also: float | None = None) -> tuple[float, float]:
    """
    >>> narrow = [Mark(value=value, low=value - 0.1, high=value + 0.1) for value in (0.1, 0.2, 0.3)]
    >>> limits([*narrow, Mark(value=0.3, low=-5.0, high=5.0)])
    (-0.185, 0.585)
    """
    values = [mark.value for mark in marks if mark.value is not None]
    values += [] if also is None else [also]
    if not values:
        return 0.0, 1.0
    lowest, highest = min(values), max(values)
    reach = max(_REACH * (highest - lowest), _TIMES_USUAL * _usual(marks))
    low = max(min(_drop_missing(mark.low for mark in marks), default=lowest), lowest - reach)
    high = min(max(_drop_missing(mark.high for mark in marks), default=highest), highest + reach)
    low, high = min(low, lowest), max(high, highest)
    room = _ROOM * ((high - low) or 1.0)
    return round(low - room, 10), round(high + room, 10)


def _usual(marks: Sequence[Mark]) -> float:
    """The median of half the widths of intervals."""
    halves = [(mark.high - mark.low) / 2 for mark in marks if mark.low is not None and mark.high is not None]
    return median(halves) if halves else 0.0


def _drop_missing(numbers: Iterable[float | None]) -> list[float]:
    return [number for number in numbers if number is not None]


_MINUS = "\N{MINUS SIGN}"


def tick(value: float, unit: Unit) -> str:
    """
    >>> tick(0.125, "percent"), tick(0.05, "points"), tick(0.5, "number"), tick(-0.0, "percent")
    ('12.5%', '5', '0.5', '0%')
    """
    number = round(value if unit == "number" else 100 * value, 6) or 0.0
    return f"{number:.6g}{'%' if unit == 'percent' else ''}".replace("-", _MINUS)


def cell_text(value: float, unit: Unit) -> str:
    """Of a correlation two digits without the zero before them; percentage points with one.

    >>> cell_text(0.314, "number"), cell_text(0.031, "points"), cell_text(-0.001, "number")
    ('.31', '3.1', '.00')
    """
    if unit != "number":
        return f"{round(100 * value, 1) or 0.0:.1f}".replace("-", _MINUS)
    return f"{round(value, 2) or 0.0:.2f}".replace("0.", ".", 1).replace("-", _MINUS)
