"""What was decided about an item, step by step, as far as the person who asks may see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from django.http import Http404

from annotation.answers import Answers
from backend.annotate.batches.blindness import hidden_items, refuse_hidden
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.decide.adjudication.current_decision import CurrentDecision
from backend.decide.adjudication.models import Decision, DecisionRound, Way
from backend.decide.adjudication.selectors import current_decision_for, decided_answers, standings
from backend.design.samples.models import Item

LATELY = 20
LEAST_TO_TELL, LEAST_SECONDS = 5, 3


@dataclass(frozen=True, slots=True)
class PastDecision:
    """`is_withheld`: who asks could still make the blind second decision, so that only who and when may be told."""

    decision: Decision
    is_withheld: bool
    stands: bool
    can_be_undone: bool

    @property
    def answers(self) -> Answers | None:
        has_answer = not self.is_withheld and self.decision.way != Way.UNDONE
        return decided_answers(self.decision) if has_answer else None


def history(item: Item, user: User, *, standing: CurrentDecision | None = None) -> list[PastDecision]:
    """Latest first."""
    standing = standing or current_decision_for(item)
    rows = Decision.objects.filter(item=item).select_related("author", "edition", "accepted_from", "item")
    return [_past(row, standing, user) for row in rows.order_by("-made_at", "-pk")]


def decisions_seen_by(user: User, study: Study) -> Iterator[PastDecision]:
    """Every decision of the study by item, decision_round and number, each as far as this person may see it."""
    known = standings(study)
    rows = (
        Decision.objects.filter(item__study=study)
        .exclude(item__in=hidden_items(user, study))
        .select_related("author", "edition", "accepted_from", "item")
    )
    for row in rows.order_by("item", "decision_round", "number").iterator(chunk_size=500):
        yield _past(row, known[row.item_id], user)


def _past(row: Decision, standing: CurrentDecision, user: User) -> PastDecision:
    hidden = standing.hides_from(user.pk, row.decision_round, row.author_id)
    last = standing.last.get(row.decision_round)
    stands = bool(last and last.pk == row.pk and last.stands)
    return PastDecision(
        row, hidden, stands, stands and not hidden and not is_compared(row.decision_round, standing)
    )


def is_compared(decision_round: int, standing: CurrentDecision) -> bool:
    """Both of two decisions that were compared have been seen, so that neither can be taken back."""
    return decision_round != DecisionRound.RECONCILING and standing.second is not None


def decision_seen_by(user: User, study: Study, decision_id: int) -> PastDecision:
    """Raises StillToJudge."""
    row = (
        Decision.objects.filter(pk=decision_id, item__study=study)
        .select_related("author", "edition", "accepted_from", "item__study")
        .first()
    )
    if row is None:
        raise Http404("This study has no such decision.")
    refuse_hidden(user, study, [row.item.item_id])
    return _past(row, current_decision_for(row.item), user)


def last_decision_of(user: User, study: Study) -> Decision | None:
    """What this person could undo: their latest decision, if nothing came after it."""
    row = (
        Decision.objects.filter(item__study=study, author=user)
        .select_related("item__study", "author")
        .order_by("-made_at", "-pk")
        .first()
    )
    if row is None or row.way == Way.UNDONE:
        return None
    standing = current_decision_for(row.item)
    return row if _past(row, standing, user).can_be_undone else None


def hourly_pace(user: User, study: Study) -> float | None:
    """How many items an hour this person decides, by the median time of their last ones; None where these are few, or
    so quick that nobody can have read them."""
    times = list(
        Decision.objects.filter(item__study=study, author=user, seconds__gt=0)
        .order_by("-made_at")
        .values_list("seconds", flat=True)[:LATELY]
    )
    return items_an_hour([time for time in times if time])


def items_an_hour(seconds: Sequence[float]) -> float | None:
    """
    >>> items_an_hour([20, 30, 40, 30, 20]), items_an_hour([1, 1, 1, 1, 1]), items_an_hour([20, 30])
    (120.0, None, None)
    """
    if len(seconds) < LEAST_TO_TELL:
        return None
    usual = median(seconds)
    return 3600 / usual if usual >= LEAST_SECONDS else None
