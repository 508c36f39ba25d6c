"""Moves unfinished items between annotators, withdraws annotators and takes them back; nothing done is touched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from annotation.assignment import deal_onto
from backend.annotate.batches import errors
from backend.annotate.batches.candidates import annotators_of, researching
from backend.annotate.batches.models import AssignedItem, Assignment, Batch, BatchKind, BatchState
from backend.annotate.batches.queue import enqueue_preparation
from backend.annotate.batches.selectors import ANSWERED, held_items, unfinished_items
from backend.annotate.batches.services.life import changeable, refuse_state
from backend.core.accounts.models import User
from backend.core.studies.services import record_event


@transaction.atomic
def reassign_items(
    *, batch: Batch, annotator: User, to: Sequence[User], actor: User, now: datetime, n: int | None = None
) -> int:
    """Hands over unfinished items, all or the last n, so that those who take over end with even work; how many."""
    batch = changeable(batch)
    source = _assignment(batch, annotator)
    moved = _hand_over(batch, source, to, now, n)
    names = errors.list_names([str(user) for user in to])
    summary = f"Handed {moved} items of “{batch.name}” from {annotator} to {names}"
    record_event(study=batch.study, actor=actor, summary=summary, now=now)
    enqueue_preparation(batch=batch, actor=actor, now=now)
    return moved


@transaction.atomic
def withdraw_annotator(
    *, batch: Batch, annotator: User, actor: User, now: datetime, hand_over_to: Sequence[User] = ()
) -> int:
    """Ends one annotator's work on a batch. What they did stays; the rest waits, or goes to others: how many did."""
    batch = changeable(batch)
    assignment = _assignment(batch, annotator)
    if assignment.withdrawn_at is not None:
        raise errors.AlreadyWithdrawn(str(annotator))
    assignment.withdrawn_at = now
    assignment.save(update_fields=["withdrawn_at"])
    moved = _hand_over_rest(batch, assignment, hand_over_to, now)
    summary = f"Withdrew {annotator} from “{batch.name}”"
    if moved:
        summary += f"; {moved} items went to {errors.list_names([str(user) for user in hand_over_to])}"
    record_event(study=batch.study, actor=actor, summary=summary, now=now)
    enqueue_preparation(batch=batch, actor=actor, now=now)
    return moved


@transaction.atomic
def restore_annotator(*, batch: Batch, annotator: User, actor: User, now: datetime) -> None:
    """Undoes a withdrawal: they go on with what was not handed over."""
    batch = changeable(batch)
    assignment = _assignment(batch, annotator)
    if assignment.withdrawn_at is None:
        raise errors.NotWithdrawn(str(annotator))
    _refuse_readers(batch, [annotator], unfinished_items(assignment))
    assignment.withdrawn_at = None
    assignment.save(update_fields=["withdrawn_at"])
    summary = f"Took {annotator} back into “{batch.name}”"
    record_event(study=batch.study, actor=actor, summary=summary, now=now)
    enqueue_preparation(batch=batch, actor=actor, now=now)


def _assignment(batch: Batch, annotator: User) -> Assignment:
    # Held still, so that an answer that is being read meanwhile is seen either before or after.
    found = batch.assignments.select_for_update(no_key=True).filter(annotator=annotator).first()
    if found is None:
        raise errors.NotInBatch(str(annotator))
    return found


def _hand_over_rest(batch: Batch, source: Assignment, to: Sequence[User], now: datetime) -> int:
    """Somebody who has nothing left can be withdrawn all the same."""
    if not to:
        return 0
    try:
        return _hand_over(batch, source, to, now, None)
    except errors.NothingToMove:
        return 0


def _hand_over(batch: Batch, source: Assignment, to: Sequence[User], now: datetime, n: int | None) -> int:
    refuse_state(batch, [BatchState.OPEN, BatchState.PAUSED])
    if batch.kind == BatchKind.RECHECK:
        raise errors.OwnItemsStay
    _refuse_people(batch, source, to)
    moving = _items_to_move(source, n)
    takers = {user.username: _share_of(batch, user, now) for user in to}
    loads = {username: unfinished_items(taker).count() for username, taker in takers.items()}
    _refuse_doubles(takers, moving)
    _refuse_readers(batch, to, moving)
    by_key = {row.item.item_id: row for row in moving}
    for username, keys in deal_onto(sorted(by_key), loads, batch.seed).items():
        _give(takers[username], [by_key[key] for key in keys])
    AssignedItem.objects.filter(pk__in=[row.pk for row in moving]).update(taken_back_at=now)
    return len(moving)


def _refuse_people(batch: Batch, source: Assignment, to: Sequence[User]) -> None:
    if not to:
        raise errors.NoAnnotators
    if source.annotator in to:
        raise errors.SamePerson(str(source.annotator))
    known = set(annotators_of(batch.study))
    strangers = [str(user) for user in to if user not in known]
    if strangers:
        raise errors.UnknownAnnotator(strangers)


def _items_to_move(source: Assignment, n: int | None) -> list[AssignedItem]:
    """The last ones: the first are where the annotator is at work."""
    unfinished = list(unfinished_items(source).select_related("item").order_by("position"))
    if not unfinished:
        raise errors.NothingToMove(str(source.annotator))
    if n is not None and n > len(unfinished):
        raise errors.TooFewToMove(str(source.annotator), len(unfinished), n)
    return unfinished[-n:] if n else unfinished


def _share_of(batch: Batch, user: User, now: datetime) -> Assignment:
    assignment, _ = batch.assignments.get_or_create(annotator=user, defaults={"assigned_at": now})
    if assignment.withdrawn_at is not None:
        raise errors.AlreadyWithdrawn(str(user))
    return assignment


def _refuse_doubles(takers: Mapping[str, Assignment], moving: Sequence[AssignedItem]) -> None:
    """Whoever had an item for good or answered it once is not asked it a second time."""
    items = {row.item_id for row in moving}
    for taker in takers.values():
        theirs = set(held_items(taker).values_list("item_id", flat=True))
        if theirs & items:
            raise errors.AlreadyTheirs(str(taker.annotator))


def _refuse_readers(batch: Batch, to: Sequence[User], moving: Iterable[AssignedItem]) -> None:
    """Until now those who research too were not blind to what others answered on these items."""
    items = [row.item_id for row in moving]
    for user in researching(to, batch.study):
        answered = AssignedItem.objects.filter(ANSWERED, item__in=items)
        if answered.exclude(assignment__annotator=user).exists():
            raise errors.MayHaveRead([str(user)])


def _give(taker: Assignment, moving: Sequence[AssignedItem]) -> None:
    """An item that was theirs before and was taken back becomes theirs again, in its old place."""
    extra = {place.item_id: place.is_extra for place in moving}
    again = set(taker.assigned_items.filter(item__in=extra).values_list("item_id", flat=True))
    for is_extra in (False, True):
        back = [item for item in again if extra[item] is is_extra]
        taker.assigned_items.filter(item__in=back).update(taken_back_at=None, is_extra=is_extra)
    new = {item: is_extra for item, is_extra in extra.items() if item not in again}
    add_to_share(taker, new)


def add_to_share(taker: Assignment, items: Mapping[int, bool]) -> None:
    """New items behind the others; for each, whether it is asked because earlier answers left it open."""
    last = taker.assigned_items.aggregate(last=Max("position"))["last"]
    start = 0 if last is None else last + 1
    AssignedItem.objects.bulk_create(
        AssignedItem(assignment=taker, item_id=item, position=position, is_extra=is_extra)
        for position, (item, is_extra) in enumerate(items.items(), start=start)
    )
