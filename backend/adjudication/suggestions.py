"""The model's opinion of an item, seen only by who asks for it; until a model is in service there is none."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.answers import Answers
from backend.samples.models import Item


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`source` names the adapter that says so."""

    source: str
    answers: Answers


def suggestion_for(item: Item) -> Suggestion | None:
    return None
