"""Why a model said what it said of an item, for those learners that can tell. Unlike predictions such a file holds
texts: the words that were learned from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from codebook.schema import Part
from corpus.atomic_files import replace_file

ByAnswer = tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class FiredSeed:
    """A sentence, text[start:end] of its part, with the words that were learned from that it is most like."""

    part: Part
    start: int
    end: int
    seed: str
    likeness: float


@dataclass(frozen=True, slots=True)
class AddedHeight:
    """What a feature of this value adds to the logit of each answer."""

    feature: str
    value: float
    heights: ByAnswer


@dataclass(frozen=True, slots=True)
class CodeExplanation:
    """`fired` has the sentences that are shown, the likest first, or the likest one where none is. `added` has what
    moved most first; with `intercepts` it adds up to the logits, before calibration. Where sentences are asked for,
    it is of the likeliest one."""

    code_id: str
    value: int
    fired: tuple[FiredSeed, ...]
    intercepts: ByAnswer
    added: tuple[AddedHeight, ...]


@dataclass(frozen=True, slots=True)
class ItemExplanation:
    item_id: str
    adapter_id: str
    codes: tuple[CodeExplanation, ...]


def write_explanations(path: Path, explanations: Iterable[ItemExplanation]) -> None:
    """A line for each item."""
    replace_file(path, b"".join(msgspec.json.encode(each) + b"\n" for each in explanations))
