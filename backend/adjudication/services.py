"""What decides items, takes decisions back and lets them stand again; it only ever adds rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from annotation.answers import Answers, canonical_answers
from annotation.problems import Problem
from annotation.soundness import answer_problems, reason_problems
from annotation.stored_answers import stored_answers
from backend.accounts.models import User
from backend.adjudication.errors import (
    BlindSecondToCome,
    CannotBeUndone,
    DecisionRefused,
    NothingToUndo,
    NotYourSitting,
    OnlyByItsAuthor,
    ReasonNeeded,
)
from backend.adjudication.history import is_compared
from backend.adjudication.models import Decision, Sitting, Way
from backend.adjudication.offers import Offers, offers_on, way_of
from backend.adjudication.recording import add_step, refuse_stale
from backend.adjudication.selectors import decided_answers, standing_for
from backend.adjudication.standing import Standing
from backend.codebooks.selectors import edition_in_force
from backend.discussions import services as discussions
from backend.discussions.models import Discussion, DiscussionState
from backend.samples.models import Item


@dataclass(frozen=True, slots=True)
class Draft:
    """What a researcher is about to decide. `way` and `accepted_from` are what they say they did."""

    answers: Answers
    reason: str = ""
    way: Way = Way.WRITTEN
    accepted_from: User | None = None
    seconds: float | None = None
    settles_discussions: bool = False


@transaction.atomic
def decide(
    *, item: Item, draft: Draft, actor: User, sitting: Sitting, expected_number: int, now: datetime
) -> Decision:
    """`sitting` and `expected_number` are what the page showed: raises DecidedMeanwhile if that is no longer so."""
    standing = standing_for(item)
    refuse_stale(item, standing, actor, sitting, expected_number)
    edition = edition_in_force(item.study)
    offers = offers_on(item, edition)
    _refuse_unsound(offers, draft)
    if draft.settles_discussions:
        _refuse_settling(standing, sitting, draft.reason)
    decision = _written(draft, offers)
    decision.item, decision.edition, decision.sitting = item, edition, sitting
    decision.number, decision.author, decision.made_at = expected_number + 1, actor, now
    add_step(decision, actor)
    if draft.settles_discussions:
        for discussion in unsettled_discussions(item):
            discussions.settle(discussion=discussion, actor=actor, reason=draft.reason, now=now)
    return decision


def _written(draft: Draft, offers: Offers) -> Decision:
    """The answer in its stored form, with how it came about if that is true."""
    way = way_of(offers, draft.answers, draft.way, draft.accepted_from)
    values = {judgment.code_id: judgment.value for judgment in draft.answers.judgments}
    ordered = canonical_answers(offers.codebook, offers.text, values, draft.answers.spans, None)
    return Decision(
        way=way,
        accepted_from=draft.accepted_from if way is Way.ACCEPTED else None,
        answers=stored_answers(ordered),
        reason=draft.reason.strip(),
        judgments_hash=offers.judgments_hash,
        seconds=draft.seconds,
    )


@transaction.atomic
def undo(*, decision: Decision, actor: User, now: datetime) -> Decision:
    """Nothing is decided any more; discussions that were settled with the decision are open again."""
    item = decision.item
    standing = standing_for(item)
    last = standing.last.get(decision.sitting)
    if last is None or last.pk != decision.pk or not last.stands:
        raise NothingToUndo
    if is_compared(decision.sitting, standing):
        raise CannotBeUndone
    if standing.hides_first_from(actor.pk, decision.author_id):
        raise OnlyByItsAuthor
    undone = Decision(
        item=item,
        edition=decision.edition,
        sitting=decision.sitting,
        number=decision.number + 1,
        way=Way.UNDONE,
        judgments_hash=decision.judgments_hash,
        author=actor,
        made_at=now,
    )
    add_step(undone, actor)
    for discussion in _settled_with(decision):
        discussions.reopen(discussion=discussion, actor=actor, now=now)
    return undone


def restore(*, decision: Decision, actor: User, expected_number: int, now: datetime) -> Decision:
    """Decides again what was decided before, in the sitting that is the actor's now."""
    standing = standing_for(decision.item)
    sitting = standing.sitting_for(actor.pk)
    if sitting is None:
        raise NotYourSitting
    if decision.sitting == Sitting.FIRST and standing.hides_first_from(actor.pk, decision.author_id):
        raise OnlyByItsAuthor
    if decision.way == Way.UNDONE:
        raise NothingToUndo
    draft = Draft(
        answers=decided_answers(decision),
        reason=decision.reason,
        way=Way(decision.way),
        accepted_from=decision.accepted_from,
    )
    return decide(
        item=decision.item,
        draft=draft,
        actor=actor,
        sitting=sitting,
        expected_number=expected_number,
        now=now,
    )


def unsettled_discussions(item: Item) -> list[Discussion]:
    """Those that wait for an end; one whose flag was taken back does not."""
    waiting = [DiscussionState.OPEN, DiscussionState.WAITING]
    rows = Discussion.objects.filter(assigned_item__item=item, state__in=waiting)
    return list(rows.select_related("assigned_item__assignment__annotator"))


def _settled_with(decision: Decision) -> list[Discussion]:
    """Settling shares the decision's moment and author, so that both can be undone together."""
    return list(
        Discussion.objects.filter(
            assigned_item__item=decision.item_id,
            state=DiscussionState.SETTLED,
            settled_at=decision.made_at,
            settled_by=decision.author_id,
        )
    )


def _refuse_unsound(offers: Offers, draft: Draft) -> None:
    problems: list[Problem] = [
        *answer_problems(offers.codebook, offers.text, draft.answers),
        *reason_problems("", draft.reason.strip()),
    ]
    if problems:
        raise DecisionRefused(problems)


def _refuse_settling(standing: Standing, sitting: Sitting, reason: str) -> None:
    if not reason.strip():
        raise ReasonNeeded("the discussion, where the annotator reads it")
    if sitting is Sitting.FIRST and standing.is_chosen:
        raise BlindSecondToCome
