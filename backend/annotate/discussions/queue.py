"""The list of discussions that a person works through: which state, which filters, which order, and what comes next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Q, QuerySet
from django.http import QueryDict

from backend.annotate.discussions.models import Discussion, DiscussionState
from backend.core.studies.models import Study
from backend.core.web.addresses import whole_number
from backend.design.codebooks.selectors import codebook_of, latest_edition


class Order(StrEnum):
    NEWEST = "newest"
    OLDEST = "oldest"


@dataclass(frozen=True, slots=True)
class QueueChoice:
    """What an address asks for; 0 and an empty code filter nothing."""

    state: DiscussionState
    order: Order
    batch_id: int
    annotator_id: int
    code_id: str

    @property
    def is_filtered(self) -> bool:
        return bool(self.batch_id or self.annotator_id or self.code_id)


@dataclass(frozen=True, slots=True)
class Neighbours:
    previous: int | None
    next: int | None


def choice_from(address: QueryDict, *, default_state: DiscussionState) -> QueueChoice:
    asked = address.get("state", "")
    state = DiscussionState(asked) if asked in DiscussionState.values else default_state
    done = state in (DiscussionState.SETTLED, DiscussionState.WITHDRAWN)
    usual = Order.NEWEST if done else Order.OLDEST
    order = address.get("order", "")
    return QueueChoice(
        state=state,
        order=Order(order) if order in list(Order) else usual,
        batch_id=_number(address.get("batch")),
        annotator_id=_number(address.get("annotator")),
        code_id=address.get("code", "")[:80],
    )


def _number(raw: str | None) -> int:
    return whole_number(raw, default=0) if raw else 0


def filter_discussions(
    discussions: QuerySet[Discussion], choice: QueueChoice, study: Study
) -> QuerySet[Discussion]:
    """All states, so that the tabs can say how many each holds."""
    if choice.batch_id:
        discussions = discussions.filter(assigned_item__assignment__batch=choice.batch_id)
    if choice.annotator_id:
        discussions = discussions.filter(assigned_item__assignment__annotator=choice.annotator_id)
    if choice.code_id:
        discussions = discussions.filter(_about(choice.code_id, study)).distinct()
    return discussions


def _about(code_id: str, study: Study) -> Q:
    """The annotator found the code in the item, or the discussion ended with another wording for it."""
    edition = latest_edition(study)
    pairs = codebook_of(edition).coded_questions() if edition else ()
    values = next((question.present_values for question, code in pairs if code.id == code_id), frozenset({1}))
    judged = Q(
        assigned_item__submission__judgments__code=code_id,
        assigned_item__submission__judgments__value__in=values,
    )
    return judged | Q(proposed_code=code_id)


def in_order(discussions: QuerySet[Discussion], choice: QueueChoice) -> QuerySet[Discussion]:
    keys = ("-changed_at", "-pk") if choice.order is Order.NEWEST else ("changed_at", "pk")
    return discussions.filter(state=choice.state).order_by(*keys)


def neighbours(queue: QuerySet[Discussion], discussion: Discussion) -> Neighbours:
    """One that has left the queue, because it was just answered, is followed by the queue's first."""
    ids = list(queue.values_list("pk", flat=True))
    if discussion.pk not in ids:
        return Neighbours(None, ids[0] if ids else None)
    at = ids.index(discussion.pk)
    return Neighbours(ids[at - 1] if at else None, ids[at + 1] if at + 1 < len(ids) else None)
