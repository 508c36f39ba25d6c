"""What was tried on EPITOME, by name; docs/epitome.md says what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ALL = 5


@dataclass(frozen=True, slots=True)
class Tried:
    """`n_seeds` is 1 for what was hopeless on the validation part of the first split."""

    name: str
    learner: str
    options: Mapping[str, Any] = field(default_factory=dict)
    n_seeds: int = ALL


TRIED = (
    Tried("majority", "majority"),
    Tried("random", "random"),
    Tried("tfidf", "tfidf-logistic"),
)
