"""What a page asks to be drawn, and what it gets back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from django.utils.safestring import SafeString

NumberStyle = Literal["count", "decimal", "percent"]
NO_DATA = "There is nothing to show yet."

# Beyond this a 64-bit float no longer tells neighbouring whole numbers apart, so an axis would lie.
LARGEST = 1e15


class UnplottableValue(ValueError):
    def __init__(self, chart: str, value: float) -> None:
        super().__init__(
            f"The chart “{chart}” was given {value!r}. Give finite numbers between -1e15 and 1e15, "
            "and leave out what is not known."
        )


class UnevenRows(ValueError):
    def __init__(self, chart: str, rows: int, columns: int) -> None:
        super().__init__(
            f"The heatmap “{chart}” needs one row of values for each of its {rows} labels, "
            f"each with {columns} values."
        )


class UnevenSeries(ValueError):
    def __init__(self, chart: str, series: str, values: int, categories: int) -> None:
        super().__init__(
            f"In the chart “{chart}” the series “{series}” has {values} values for {categories} categories. "
            "Give one value for each category."
        )


@dataclass(frozen=True, kw_only=True)
class _Common:
    unit: str = ""
    style: NumberStyle = "count"
    wide: bool = False
    note: str = ""
    empty: str = NO_DATA


@dataclass(frozen=True)
class Bar:
    label: str
    value: float
    note: str = ""


@dataclass(frozen=True)
class BarChart(_Common):
    title: str
    bars: Sequence[Bar]


@dataclass(frozen=True)
class Series:
    name: str
    values: Sequence[float]


@dataclass(frozen=True)
class GroupedBarChart(_Common):
    title: str
    categories: Sequence[str]
    series: Sequence[Series]
    stacked: bool = False


@dataclass(frozen=True)
class Bin:
    """Counts values from low up to, but not including, high; no high means “and over”."""

    low: float
    high: float | None
    count: float


@dataclass(frozen=True)
class Histogram(_Common):
    title: str
    bins: Sequence[Bin]
    x_label: str = ""


@dataclass(frozen=True)
class LineSeries:
    name: str
    points: Sequence[tuple[date | float, float]]


@dataclass(frozen=True)
class LineChart(_Common):
    title: str
    series: Sequence[LineSeries]
    x_label: str = ""


@dataclass(frozen=True)
class Estimate:
    """An estimate with its interval; None where it could not be computed."""

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Band:
    """A stretch of the axis that has a name, such as “moderate”."""

    label: str
    low: float
    high: float


@dataclass(frozen=True)
class DotIntervalChart(_Common):
    title: str
    estimates: Sequence[Estimate]
    style: NumberStyle = field(default="decimal", kw_only=True)
    lower: float | None = None
    upper: float | None = None
    reference: float | None = None
    bands: Sequence[Band] = ()


@dataclass(frozen=True)
class Heatmap(_Common):
    """`values` by row. Colours go from lower to upper, or, if diverging, both ways from zero; None is no value.

    `addresses`, if given, are where the cells of the data table lead.
    """

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[float | None]]
    style: NumberStyle = field(default="decimal", kw_only=True)
    diverging: bool = False
    lower: float = 0.0
    upper: float = 1.0
    addresses: Sequence[Sequence[str]] = ()


class LinkedText(str):
    """The text of a cell that leads somewhere."""

    __slots__ = ("url",)

    def __new__(cls, text: str, url: str) -> LinkedText:
        made = super().__new__(cls, text)
        made.url = url
        return made

    url: str


@dataclass(frozen=True)
class DataTable:
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Chart:
    """A drawn chart; an empty svg means that there was no data and `empty` says so."""

    title: str
    unit: str
    note: str
    empty: str
    summary: str
    svg: SafeString
    legend: tuple[str, ...]
    table: DataTable


def check_values(title: str, values: Sequence[float]) -> None:
    for value in values:
        if not math.isfinite(value) or abs(value) > LARGEST:
            raise UnplottableValue(title, value)
