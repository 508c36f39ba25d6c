"""Planned estimates as rows of a table, in points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.gold_plan import PlannedEstimate

SHOWN = (100, 300, 1_000)


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """`needed` is None where no gold is enough."""

    name: str
    gold: int
    width: float
    widths: tuple[float, ...]
    needed: int | None


def row_of(each: PlannedEstimate, names: Mapping[str, str], width: float) -> PlannedRow:
    return PlannedRow(
        name_of(each, names),
        round(each.parts.n),
        100 * each.parts.width,
        tuple(100 * each.parts.with_more(more) for more in SHOWN),
        each.parts.labels_for(width),
    )


def name_of(each: PlannedEstimate, names: Mapping[str, str]) -> str:
    codes = " × ".join(names.get(code, code) for code in (each.code, each.other) if code)
    about = [codes, each.where, each.measure.replace("_", " ")]
    return " · ".join(part for part in about if part)
