"""What is said of annotators' competence, and what it takes to say it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

LEAST = 30
# With two annotators every split between them can be explained in many equally good ways.
LEAST_ANNOTATORS = 3
RESAMPLES = 200


class Model(StrEnum):
    DAWID_SKENE = "dawid-skene"
    MACE = "mace"
    RASCH = "rasch"


@dataclass(frozen=True, slots=True)
class Interval:
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Competence:
    """`n` counts the items that others judged too. Without `values`, `missing` says what there is too little of."""

    annotator: str
    n: int
    values: Mapping[Model, Interval]
    missing: str = ""
