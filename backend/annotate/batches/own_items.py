"""What an annotator did with each item of their shares, for their own eyes, and where they should go on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Value, When, Window
from django.db.models.functions import RowNumber

from backend.annotate.batches.models import AssignedItem, Assignment

LISTED = 50


class OwnState(StrEnum):
    """In the order in which they are listed."""

    TO_MEND = "to mend"
    SUBMITTED = "submitted"
    SKIPPED = "skipped"
    KEPT_BACK = "kept back"
    TO_DO = "to do"


@dataclass(frozen=True, slots=True)
class OwnItem:
    place: AssignedItem
    state: OwnState

    @property
    def is_answered(self) -> bool:
        return self.state is not OwnState.TO_DO


@dataclass(frozen=True, slots=True)
class OwnItems:
    """The first of a share's items, and how many there are in all; `unanswered` is what Label Studio would ask next."""

    items: tuple[OwnItem, ...] = ()
    total: int = 0
    unanswered: int = 0

    @property
    def not_listed(self) -> int:
        return self.total - len(self.items)

    @property
    def landing(self) -> AssignedItem | None:
        """None while something is left to ask; else what needs mending first, or what was submitted last."""
        return self.items[0].place if self.items and not self.unanswered else None


def own_items(assignments: Sequence[Assignment]) -> dict[int, OwnItems]:
    """By the assignment's number; two queries however many there are."""
    listed: dict[int, list[OwnItem]] = defaultdict(list)
    for own in _list_items(assignments):
        listed[own.place.assignment_id].append(own)
    totals = (
        _with_state(assignments)
        .order_by()
        .values("assignment_id")
        .annotate(total=Count("pk"), unanswered=Count("pk", filter=Q(own_state=OwnState.TO_DO)))
    )
    return {
        row["assignment_id"]: OwnItems(tuple(listed[row["assignment_id"]]), row["total"], row["unanswered"])
        for row in totals
    }


def _with_state(assignments: Sequence[Assignment]) -> QuerySet[AssignedItem]:
    doubtful = AssignedItem.objects.filter(pk=OuterRef("pk"), quarantined__isnull=False)
    states = Case(
        When(Exists(doubtful.filter(quarantined__is_fixable=True)), then=Value(OwnState.TO_MEND.value)),
        When(submission__state="submitted", then=Value(OwnState.SUBMITTED.value)),
        When(submission__state="skipped", then=Value(OwnState.SKIPPED.value)),
        When(Exists(doubtful), then=Value(OwnState.KEPT_BACK.value)),
        default=Value(OwnState.TO_DO.value),
    )
    given = AssignedItem.objects.filter(assignment__in=assignments, taken_back_at=None)
    return given.annotate(own_state=states)


def _list_items(assignments: Sequence[Assignment]) -> list[OwnItem]:
    rank = Case(*(When(own_state=state, then=Value(number)) for number, state in enumerate(OwnState)))
    number = Window(
        RowNumber(),
        partition_by="assignment_id",
        order_by=["rank", F("submission__changed_at").desc(nulls_last=True), "position"],
    )
    found = (
        _with_state(assignments)
        .annotate(rank=rank, state=F("own_state"))
        .annotate(number=number)
        .filter(number__lte=LISTED)
        .select_related("item")
        .defer("item__reply_text")
        .order_by("assignment_id", "number")
    )
    return [OwnItem(place, OwnState(place.state)) for place in found]
