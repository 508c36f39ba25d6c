"""What became of each item of a batch, annotator by annotator; for researchers alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Exists, OuterRef, QuerySet

from backend.annotate.batches.blindness import hidden_items
from backend.annotate.batches.models import AssignedItem, Assignment, Batch
from backend.annotate.batches.selectors import FLAGGED
from backend.core.accounts.models import User
from backend.design.samples.models import Item


class ItemState(StrEnum):
    NOT_THEIRS = "not theirs"
    TO_DO = "to do"
    SUBMITTED = "submitted"
    SKIPPED = "skipped"
    QUARANTINED = "in quarantine"
    HANDED_OVER = "handed over"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Cell:
    state: ItemState
    is_flagged: bool = False


@dataclass(frozen=True, slots=True)
class ItemRow:
    item: Item
    cells: tuple[Cell, ...]


def items_of(batch: Batch) -> QuerySet[Item]:
    given = AssignedItem.objects.filter(assignment__batch=batch)
    return Item.objects.filter(pk__in=given.values("item_id")).order_by("pk")


def item_rows(
    items: Sequence[Item], assignments: Sequence[Assignment], viewer: User | None = None
) -> list[ItemRow]:
    """One cell for each assignment, in their order; hidden where the viewer still has to judge the item."""
    in_quarantine = AssignedItem.objects.filter(pk=OuterRef("pk"), quarantined__isnull=False)
    flagged = AssignedItem.objects.filter(FLAGGED, pk=OuterRef("pk"))
    given = (
        AssignedItem.objects.filter(assignment__in=assignments, item__in=items)
        .annotate(is_quarantined=Exists(in_quarantine), has_flag=Exists(flagged))
        .values_list(
            "item_id",
            "assignment_id",
            "taken_back_at",
            "is_quarantined",
            "submission__state",
            "has_flag",
        )
    )
    cells: dict[int, dict[int, Cell]] = defaultdict(dict)
    for item, assignment, taken_back_at, is_quarantined, state, is_flagged in given:
        found = _state(state, bool(is_quarantined), taken_back_at is not None)
        cells[item][assignment] = Cell(found, bool(is_flagged))
    if viewer and assignments:
        _hide(cells, assignments, viewer)
    nothing = Cell(ItemState.NOT_THEIRS)
    return [
        ItemRow(item, tuple(cells[item.pk].get(assignment.pk, nothing) for assignment in assignments))
        for item in items
    ]


def _hide(cells: dict[int, dict[int, Cell]], assignments: Sequence[Assignment], viewer: User) -> None:
    hidden = set(hidden_items(viewer, assignments[0].batch.study).values_list("pk", flat=True))
    for item in hidden & cells.keys():
        others = [share.pk for share in assignments if share.annotator_id != viewer.pk]
        cells[item] |= {pk: Cell(ItemState.HIDDEN) for pk in others if pk in cells[item]}


def _state(submission: str | None, is_quarantined: bool, is_taken_back: bool) -> ItemState:
    if submission is not None:
        return ItemState(submission)
    if is_quarantined:
        return ItemState.QUARANTINED
    return ItemState.HANDED_OVER if is_taken_back else ItemState.TO_DO
