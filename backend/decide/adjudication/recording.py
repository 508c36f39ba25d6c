"""Adds a step to an item's history, unless another one came first."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from backend.core.accounts.models import User
from backend.decide.adjudication.current_decision import CurrentDecision
from backend.decide.adjudication.errors import (
    AdjudicationError,
    DecidedMeanwhile,
    NothingDecidedYet,
    NotYourRound,
)
from backend.decide.adjudication.models import Decision, DecisionRound, Way
from backend.decide.adjudication.selectors import current_decision_for
from backend.design.samples.models import Item


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
