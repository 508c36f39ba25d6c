"""What decides items, takes decisions back and lets them stand again; it only ever adds rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction

from annotation.answer_checks import answer_problems, reason_problems
from annotation.answers import Answers, canonical_answers
from annotation.compare_answers import OneSide
from annotation.problems import Problem
from annotation.stored_answers import stored_answers
from backend.core.accounts.models import User
from backend.decide.adjudication.candidate_answers import CandidateAnswers, offers_on, way_of
from backend.decide.adjudication.current_decision import CurrentDecision
from backend.decide.adjudication.errors import (
    AdjudicationError,
    CannotBeUndone,
    DecidedMeanwhile,
    DecisionRefused,
    NothingDecidedYet,
    NothingToUndo,
    NotYourRound,
    OnlyByItsAuthor,
    ReasonNeeded,
)
from backend.decide.adjudication.history import is_compared
from backend.decide.adjudication.models import Decision, DecisionRound, Way
from backend.decide.adjudication.rounds import differences, side_of
from backend.decide.adjudication.seen import Seen, refuse_changed
from backend.decide.adjudication.selectors import current_decision_for, decided_answers
from backend.decide.adjudication.settling import reopen_settled, settle_if_final
from backend.design.codebooks.selectors import edition_in_force
from backend.design.samples.models import Item


@dataclass(frozen=True, slots=True)
class Draft:
    """What a researcher is about to decide. `way` and `accepted_from` are what they say they did."""

    answers: Answers
    reason: str = ""
    way: Way = Way.WRITTEN
    accepted_from: User | None = None
    seconds: float | None = None
    settles_discussions: bool = False


NOT_TOLD = Seen()


@transaction.atomic
def decide(
    *,
    item: Item,
    draft: Draft,
    actor: User,
    decision_round: DecisionRound,
    expected_number: int,
    now: datetime,
    seen: Seen = NOT_TOLD,
) -> Decision:
    """`decision_round`, `expected_number` and `seen` are what the page showed: raises DecidedMeanwhile or
    ChangedMeanwhile if that is no longer so."""
    lock(item)
    standing = current_decision_for(item)
    refuse_stale(item, standing, actor, decision_round, expected_number)
    edition = edition_in_force(item.study)
    candidates = offers_on(item, edition)
    refuse_changed(seen, item, candidates, edition)
    _refuse_unsound(candidates, draft)
    decision = _write_decision(draft, candidates, _decided_sides(standing, decision_round))
    decision.item, decision.edition, decision.decision_round = item, edition, decision_round
    decision.number, decision.author, decision.made_at = expected_number + 1, actor, now
    decision.opened_at = min(seen.opened_at, now) if seen.opened_at else None
    decision.is_chosen = standing.is_chosen
    decision.differences = _differences(standing, decision_round, candidates, draft.answers)
    add_step(decision, actor)
    settle_if_final(decision, now=now)
    return decision


def _decided_sides(standing: CurrentDecision, decision_round: DecisionRound) -> dict[int, OneSide]:
    """By author: the two decisions among which a reconciling one may choose."""
    if decision_round is not DecisionRound.RECONCILING:
        return {}
    rows = Decision.objects.filter(pk__in=[step.pk for step in (standing.first, standing.second) if step])
    return {row.author_id: side_of(decided_answers(row)) for row in rows}


def _differences(
    standing: CurrentDecision, decision_round: DecisionRound, candidates: CandidateAnswers, answers: Answers
) -> dict[str, float | None] | None:
    """Of a decision that completes two."""
    other = {DecisionRound.FIRST: standing.second, DecisionRound.SECOND: standing.first}.get(decision_round)
    if other is None:
        return None
    theirs = decided_answers(Decision.objects.get(pk=other.pk))
    return differences(candidates.codebook, candidates.text, theirs, answers)


def _write_decision(draft: Draft, candidates: CandidateAnswers, decided: Mapping[int, OneSide]) -> Decision:
    """The answer in its stored form, with how it came about if that is true."""
    way = way_of(candidates, decided, draft.answers, draft.way, draft.accepted_from)
    values = {judgment.code_id: judgment.value for judgment in draft.answers.judgments}
    ordered = canonical_answers(candidates.codebook, candidates.text, values, draft.answers.spans, None)
    return Decision(
        way=way,
        accepted_from=draft.accepted_from if way is Way.ACCEPTED else None,
        answers=stored_answers(ordered),
        reason=draft.reason.strip(),
        judgments_hash=candidates.judgments_hash,
        seconds=draft.seconds,
        wants_settling=draft.settles_discussions,
    )


@transaction.atomic
def undo(*, decision: Decision, actor: User, now: datetime) -> Decision:
    """Nothing is decided any more; discussions that were settled with the decision are open again."""
    item = decision.item
    lock(item)
    standing = current_decision_for(item)
    last = standing.last.get(decision.decision_round)
    if last is None or last.pk != decision.pk or not last.stands:
        raise NothingToUndo
    if is_compared(decision.decision_round, standing):
        raise CannotBeUndone
    if standing.hides_from(actor.pk, decision.decision_round, decision.author_id):
        raise OnlyByItsAuthor
    undone = Decision(
        item=item,
        edition=decision.edition,
        decision_round=decision.decision_round,
        number=decision.number + 1,
        way=Way.UNDONE,
        judgments_hash=decision.judgments_hash,
        author=actor,
        made_at=now,
        is_chosen=standing.is_chosen,
    )
    add_step(undone, actor)
    reopen_settled(item=item, decision_round=decision.decision_round, actor=actor, now=now)
    return undone


@transaction.atomic
def restore(*, decision: Decision, actor: User, expected_number: int, now: datetime) -> Decision:
    """Decides again what was decided before, in the round that is the actor's now; discussions are settled again."""
    lock(decision.item)
    standing = current_decision_for(decision.item)
    decision_round = standing.round_for(actor.pk)
    if decision_round is None:
        raise NotYourRound
    if standing.hides_from(actor.pk, decision.decision_round, decision.author_id):
        raise OnlyByItsAuthor
    if decision.way == Way.UNDONE:
        raise NothingToUndo
    draft = Draft(
        answers=decided_answers(decision),
        reason=decision.reason,
        way=Way(decision.way),
        accepted_from=decision.accepted_from,
        settles_discussions=decision.wants_settling,
    )
    return decide(
        item=decision.item,
        draft=draft,
        actor=actor,
        decision_round=decision_round,
        expected_number=expected_number,
        now=now,
    )


def _refuse_unsound(candidates: CandidateAnswers, draft: Draft) -> None:
    problems: list[Problem] = [
        *answer_problems(candidates.codebook, candidates.text, draft.answers),
        *reason_problems("", draft.reason.strip()),
    ]
    if problems:
        raise DecisionRefused(problems)
    if draft.settles_discussions and not draft.reason.strip():
        raise ReasonNeeded("the discussion, where the annotator reads it")


def lock(item: Item) -> None:
    """Makes whoever changes the item's decisions wait for whoever does so already: whatever their decision_round."""
    Item.objects.select_for_update(no_key=True).get(pk=item.pk)


def refuse_stale(
    item: Item, standing: CurrentDecision, actor: User, decision_round: DecisionRound, expected_number: int
) -> None:
    due = standing.round_for(actor.pk)
    if due is None:
        raise NotYourRound
    if due != decision_round or standing.number_of(due) != expected_number:
        raise _decided_meanwhile(item, standing, actor)


def _decided_meanwhile(item: Item, standing: CurrentDecision, actor: User) -> AdjudicationError:
    rows = Decision.objects.filter(item=item).select_related("author", "accepted_from")
    theirs, due = rows.order_by("-pk").first(), standing.round_for(actor.pk)
    if due is None:
        return NotYourRound()
    if theirs is None:
        return NothingDecidedYet()
    is_blind = (
        standing.hides_from(actor.pk, theirs.decision_round, theirs.author_id) and theirs.way != Way.UNDONE
    )
    return DecidedMeanwhile(
        theirs, is_blind=is_blind, decision_round=due, expected_number=standing.number_of(due)
    )


def add_step(decision: Decision, actor: User) -> None:
    """Two who decide at once write the same number, which the database takes once."""
    try:
        with transaction.atomic():
            decision.save(force_insert=True)
    except IntegrityError as clash:
        if not Decision.objects.filter(
            item=decision.item, decision_round=decision.decision_round, number=decision.number
        ).exists():
            raise
        raise _decided_meanwhile(decision.item, current_decision_for(decision.item), actor) from clash
