"""The small values that travel between a job's row, its runner and its handler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
JsonObject: TypeAlias = "Mapping[str, Json]"


@dataclass(frozen=True)
class Claim:
    """The right to work on a job, for as long as its fence is the row's; `note` is what the last attempt said last."""

    job_id: int
    fence: int
    kind: str
    study_id: int | None
    arguments: JsonObject
    note: str = ""


@dataclass(frozen=True)
class Progress:
    """How far an attempt is; `start` is what earlier attempts had already done."""

    done: int
    total: int | None
    unit: str
    note: str
    start: int
