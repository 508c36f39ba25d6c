"""The adapter that training begins from, and what it makes of the items that count as seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation.release.rows import SplitPart
from learning.adapters.folder import SeenItems
from ml_backend.adapters.folder import load_adapter
from ml_backend.examples import Example
from ml_backend.learners.interface import Learner, ParentUnfit, Report


@dataclass(frozen=True, slots=True)
class Parent:
    """Where training began: the id of that adapter, and what it had learned from."""

    id: str
    seen: SeenItems


def begin_from(
    folder: Path, learner: Learner, by_part: Mapping[SplitPart, Sequence[Example]], report: Report
) -> Parent:
    """Raises ParentUnfit, also where the scores of the parts that are measured would flatter."""
    report(f"Loading the adapter {folder} to begin from")
    parent = load_adapter(folder)
    for part, learned in (
        (SplitPart.VALIDATION, frozenset(parent.seen.train)),
        (SplitPart.TEST, parent.seen.all()),
    ):
        n_seen = sum(example.item_id in learned for example in by_part[part])
        if n_seen:
            raise ParentUnfit(
                f"it has learned from {n_seen:,} items of the {part.value} part, whose scores would flatter. Take a "
                "release that keeps the split of the one it was trained on, or train without a parent."
            )
    learner.begin_from(parent.learner)
    return Parent(parent.card.id, parent.seen)


def seen_items(by_part: Mapping[SplitPart, Sequence[Example]], parent: Parent | None) -> SeenItems:
    """With what the parent saw, which is in the weights as well."""
    before = parent.seen if parent else SeenItems((), ())
    train = dict.fromkeys((*before.train, *_ids(by_part[SplitPart.TRAIN])))
    validation = dict.fromkeys((*before.validation, *_ids(by_part[SplitPart.VALIDATION])))
    return SeenItems(tuple(train), tuple(each for each in validation if each not in train))


def _ids(examples: Sequence[Example]) -> tuple[str, ...]:
    return tuple(example.item_id for example in examples)
