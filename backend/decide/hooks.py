"""What decisions and releases say of models, which a later stage knows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from backend.core.hooks import Hook

if TYPE_CHECKING:
    from backend.core.studies.models import Study
    from backend.design.samples.models import Item


# What a model says about an item, as the page's guideline shows it; None where no model is in service
model_opinion: Hook[[Item], object] = Hook()


@dataclass(frozen=True, slots=True)
class ChosenDraw:
    """How an item came into a batch that a strategy chose, and how probable that was, given the pool."""

    batch_id: int
    batch_name: str
    stream: str
    inclusion_probability: float


# By item's row: every batch that it was chosen for
chosen_draws: Hook[[Collection[int]], dict[int, list[ChosenDraw]]] = Hook()
# By item's row: the adapters whose suggestion was in view when the judgment that counts was made
suggestions_in_view: Hook[[Study], dict[int, tuple[str, ...]]] = Hook()
# In sentences for each of these adapters: how it entered service, and what a context probe found
adapters_in_words: Hook[[Study, Collection[str]], tuple[str, ...]] = Hook()
