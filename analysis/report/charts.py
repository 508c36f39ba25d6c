"""The charts of a report as data, for pages and for figures alike. Both draw the same numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

import msgspec

from analysis.values import MODEL_WAYS, Finding, Way

# Shares and their differences are kept as parts of 1, and shown in percent and in percentage points.
Unit = Literal["percent", "points", "number"]


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One estimate: a point, a bar or a cell. None where it is not defined, and `note` says why."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    n_gold: int | None = None
    p: float | None = None
    sentence: str = ""
    note: str = ""

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves 0 out, so that the sign is known."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


def mark_of(found: Finding) -> Mark:
    """`p` is Holm's where the table has many tests."""
    p = found.test.p if found.test.p_holm is None else found.test.p_holm
    return Mark(
        value=found.estimate.value,
        low=found.estimate.low,
        high=found.estimate.high,
        n=found.basis.n,
        n_gold=found.basis.n_gold,
        p=p,
        sentence=found.sentence,
        note=found.note,
    )


T = TypeVar("T")


def drawn_ways(found: Mapping[Way, T]) -> dict[Way, T]:
    """Gold alone stands in tables: charts set the model as it is beside the corrected one."""
    return {way: each for way, each in found.items() if way in MODEL_WAYS}


class Series(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A mark for each label of the panel."""

    name: str
    way: Way
    marks: tuple[Mark, ...]


class Panel(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`labels` are the rows of dots, or the periods of lines."""

    title: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]


class _Chart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`name` is that of its files; `axis` says what the numbers are."""

    name: str
    title: str
    caption: str
    axis: str
    unit: Unit = "number"


class IntervalChart(_Chart, frozen=True, kw_only=True, tag_field="kind", tag="intervals"):
    """A dot with its interval for each label; naive and corrected are series of the same panel."""

    panels: tuple[Panel, ...]
    reference: float | None = None


class LineChart(_Chart, frozen=True, kw_only=True, tag_field="kind", tag="lines"):
    """Courses with bands, a panel for each code; labels are the beginnings of periods."""

    panels: tuple[Panel, ...]


class HeatmapPanel(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`cells` row by row; None where nothing is asked, as above the diagonal."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Mark | None, ...], ...]


class HeatmapChart(_Chart, frozen=True, kw_only=True, tag_field="kind", tag="heatmaps"):
    """One way a chart: `name` ends with it, and `pair` names what both have in common. Colours go both ways from 0 to
    `limit`; `symbol` stands above their key."""

    pair: str
    way: Way
    panels: tuple[HeatmapPanel, ...]
    symbol: str = ""
    row_axis: str = ""
    column_axis: str = ""
    limit: float = 1.0


def colour_limit(panels: Sequence[HeatmapPanel], *, at_least: float) -> float:
    """Where colours end: the largest value whose sign is known, rounded up to one that reads well."""
    values = (cell.value for panel in panels for row in panel.cells for cell in row if cell and cell.is_clear)
    largest = max((abs(value) for value in values if value is not None), default=0.0)
    steps = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
    return next(step for step in steps if step >= min(max(largest, at_least), 1.0))


ChartData = IntervalChart | LineChart | HeatmapChart
