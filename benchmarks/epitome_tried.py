"""What was tried on EPITOME, by name; docs/epitome.md says what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ALL = 5
# The two lowest of MiniLM's six layers as they are: a third faster.
UPPER = {"input": "alone", "full": True, "frozen_layers": 2, "epochs": 3}
# The upper four of MPNet's twelve.
UPPER_OF_MPNET = {"input": "alone", "full": True, "frozen_layers": 8, "epochs": 4}


@dataclass(frozen=True, slots=True)
class Tried:
    """`n_seeds` is less than all for what takes long and was no better where it was tried; docs/epitome.md has more.

    `on_mpnet` needs a folder with MPNet-base, and is left out without one.
    """

    name: str
    learner: str
    options: Mapping[str, Any] = field(default_factory=dict)
    n_seeds: int = ALL
    on_mpnet: bool = False


TRIED = (
    Tried("majority", "majority"),
    Tried("random", "random"),
    Tried("tfidf", "tfidf-logistic"),
    Tried("encoder-3e-4", "encoder-lora", {**UPPER, "learning_rate": 3e-4}),
    Tried("pair-3e-4", "encoder-lora", {**UPPER, "input": "pair", "learning_rate": 3e-4}, n_seeds=2),
    Tried("mpnet-1e-4", "encoder-lora", {**UPPER_OF_MPNET, "learning_rate": 1e-4}, n_seeds=1, on_mpnet=True),
    Tried("blend-3e-4", "encoder-tfidf", {**UPPER, "learning_rate": 3e-4}, n_seeds=1),
)
