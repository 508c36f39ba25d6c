"""Ends discussions with a decision's reason once the item is final, and opens them again when it is undone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db.models import QuerySet

from backend.annotate.discussions import services as discussions
from backend.annotate.discussions.errors import DiscussionError
from backend.annotate.discussions.models import Discussion, DiscussionState
from backend.core.accounts.models import User
from backend.core.studies.access import role_in
from backend.core.studies.models import StudyRole
from backend.decide.adjudication.errors import DiscussionStays
from backend.decide.adjudication.models import Decision, DecisionRound
from backend.decide.adjudication.selectors import current_decision_for
from backend.design.samples.models import Item


def unsettled_discussions(item: Item) -> QuerySet[Discussion]:
    """Those that wait for an end; one whose flag was taken back does not."""
    waiting = [DiscussionState.OPEN, DiscussionState.WAITING]
    return Discussion.objects.filter(assigned_item__item=item, state__in=waiting)


def settle_if_final(decision: Decision, *, now: datetime) -> None:
    """What was said since the page was opened stays for another look: its author has not read it."""
    wish = _wish(decision)
    if wish is None:
        return
    known = wish.opened_at or wish.made_at
    # Whoever settles one meanwhile is waited for, and what they settled is no longer among these
    rows = unsettled_discussions(decision.item).filter(changed_at__lte=known)
    for discussion in rows.select_for_update(of=("self",)):
        with _in_adjudications_words():
            discussions.settle(discussion=discussion, actor=wish.author, reason=wish.reason, now=now)
        decision.settled.add(discussion)


def _wish(decision: Decision) -> Decision | None:
    """Whose reason settles: this decision's, or that of the first one, which an equal second has made final."""
    final = current_decision_for(decision.item).final
    if final is None:
        return None
    if (
        decision.wants_settling
        or decision.decision_round == DecisionRound.RECONCILING
        or final.pk == decision.pk
    ):
        return decision if decision.wants_settling else None
    first = Decision.objects.select_related("author").get(pk=final.pk)
    may_settle = role_in(first.author, decision.item.study) == StudyRole.RESEARCHER
    return first if first.wants_settling and may_settle else None


def reopen_settled(*, item: Item, decision_round: int, actor: User, now: datetime) -> None:
    """Of every step of the round, unless somebody settled it otherwise since."""
    links = Decision.settled.through.objects.filter(
        decision__item=item, decision__decision_round=decision_round
    )
    moments: dict[int, set[datetime]] = defaultdict(set)
    for pk, made_at in links.values_list("discussion_id", "decision__made_at"):
        moments[pk].add(made_at)
    settled = Discussion.objects.filter(pk__in=moments, state=DiscussionState.SETTLED)
    for discussion in settled.select_for_update(of=("self",)):
        if discussion.settled_at in moments[discussion.pk]:
            with _in_adjudications_words():
                discussions.reopen(discussion=discussion, actor=actor, now=now)


@contextmanager
def _in_adjudications_words() -> Iterator[None]:
    try:
        yield
    except DiscussionError as problem:
        raise DiscussionStays(str(problem)) from problem
