"""Reads from an address which part of the queue is asked for, and says what comes next in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, QueryDict

from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.core.web.addresses import whole_number
from backend.decide.adjudication.queue import (
    Choice,
    Entry,
    Queue,
    QueueCounts,
    Reason,
    count_queue,
    queue_for,
)

LABELS = {
    Reason.DISAGREEMENT: "Disagreement",
    Reason.EVIDENCE: "Other words",
    Reason.QUARANTINE: "On hold",
    Reason.FLAG: "Open flag",
    Reason.SUSPECT: "Suspect",
    Reason.SECOND: "Blind second",
    Reason.RECONCILE: "To reconcile",
    Reason.CHANGED: "Changed since",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where an item is in the queue, counted from 1; 0 if it has left it. What follows wraps around at the end."""

    number: int
    of: int
    next_pk: int | None
    previous_pk: int | None


def read_queue(request: HttpRequest, user: User, study: Study) -> Queue:
    """Left at the request, where the frame of the page finds it again for its count."""
    queue = queue_for(user, study)
    request.adjudication_counts = queue  # type: ignore[attr-defined]
    return queue


def read_counts(request: HttpRequest, user: User, study: Study) -> QueueCounts:
    """The same without the items; once a request."""
    known: QueueCounts | None = getattr(request, "adjudication_counts", None)
    if known is None:
        known = count_queue(user, study)
        request.adjudication_counts = known  # type: ignore[attr-defined]
    return known


def choice_from(address: QueryDict) -> Choice:
    reason = address.get("reason", "")
    return Choice(
        batch_id=whole_number(address.get("batch"), default=0),
        annotator_id=whole_number(address.get("annotator"), default=0),
        code_id=address.get("code", "")[:80],
        reason=Reason(reason) if reason in list(Reason) else None,
    )


def choice_parameters(choice: Choice) -> dict[str, str]:
    """The choice as it stands in an address, so that every link can carry it on."""
    asked = {
        "batch": str(choice.batch_id or ""),
        "annotator": str(choice.annotator_id or ""),
        "code": choice.code_id,
        "reason": choice.reason.value if choice.reason else "",
    }
    return {name: value for name, value in asked.items() if value}


def place_of(item_pk: int, entries: Sequence[Entry]) -> Place:
    pks = [entry.item_pk for entry in entries]
    others = [pk for pk in pks if pk != item_pk]
    if item_pk not in pks:
        return Place(0, len(pks), others[0] if others else None, None)
    at = pks.index(item_pk)
    following = [*pks[at + 1 :], *pks[:at]]
    return Place(
        number=at + 1,
        of=len(pks),
        next_pk=following[0] if following else None,
        previous_pk=pks[at - 1] if at else None,
    )
