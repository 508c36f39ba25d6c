"""Pauses, resumes, closes, reopens and renames a batch, and moves its due date."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from django.db import transaction

from backend.annotate.batches.candidates import researching
from backend.annotate.batches.errors import NoName, WorkCameIn, WrongState
from backend.annotate.batches.models import Batch, BatchState
from backend.annotate.batches.queue import enqueue_discarding, enqueue_preparation
from backend.annotate.batches.selectors import has_work
from backend.annotate.batches.services.opening import (
    one_opening_at_a_time,
    refuse_past_day,
    refuse_taken_name,
)
from backend.core.accounts.models import User
from backend.core.studies.services import record_event

_REMEDIES = {
    BatchState.OPEN: "",
    BatchState.PAUSED: "resume it first",
    BatchState.CLOSED: "reopen it first",
    BatchState.DISCARDING: "keep it first",
}
THAT_STAY = (BatchState.OPEN, BatchState.PAUSED, BatchState.CLOSED)


def lock_batch(batch: Batch) -> Batch:
    """The batch as it stands now, held still until the transaction ends."""
    return Batch.objects.select_for_update(no_key=True, of=("self",)).select_related("study").get(pk=batch.pk)


def refuse_state(batch: Batch, allowed: Sequence[BatchState]) -> None:
    state = BatchState(batch.state)
    if state not in allowed:
        raise WrongState(batch.name, state.label.lower(), _REMEDIES[state])


def changeable(batch: Batch) -> Batch:
    """As `locked`, for what can be done in every state but while the batch is being discarded."""
    held = lock_batch(batch)
    refuse_state(held, THAT_STAY)
    return held


def pause_batch(*, batch: Batch, actor: User, now: datetime) -> Batch:
    """Nobody can go on until it is resumed; what was done stays."""
    return _move(batch, [BatchState.OPEN], BatchState.PAUSED, "Paused", actor, now)


def resume_batch(*, batch: Batch, actor: User, now: datetime) -> Batch:
    return _move(batch, [BatchState.PAUSED], BatchState.OPEN, "Resumed", actor, now)


def close_batch(*, batch: Batch, actor: User, now: datetime) -> Batch:
    """Ends the work on a batch, finished or not."""
    return _move(batch, [BatchState.OPEN, BatchState.PAUSED], BatchState.CLOSED, "Closed", actor, now)


@transaction.atomic
def reopen_batch(*, batch: Batch, actor: User, now: datetime) -> Batch:
    """Who researches too could read the others' answers meanwhile, and is not asked for the rest of theirs."""
    left = batch.assignments.filter(withdrawn_at=None).select_related("annotator")
    readers = researching([share.annotator for share in left], batch.study)
    left.filter(annotator__in=readers).update(withdrawn_at=now)
    return _move(batch, [BatchState.CLOSED], BatchState.OPEN, "Reopened", actor, now)


@transaction.atomic
def _move(
    batch: Batch, allowed: Sequence[BatchState], state: BatchState, verb: str, actor: User, now: datetime
) -> Batch:
    batch = lock_batch(batch)
    refuse_state(batch, allowed)
    batch.state = state
    batch.save(update_fields=["state"])
    record_event(study=batch.study, actor=actor, summary=f"{verb} the batch “{batch.name}”", now=now)
    enqueue_preparation(batch=batch, actor=actor, now=now)
    return batch


@transaction.atomic
def change_due_date(*, batch: Batch, due_on: date | None, actor: User, now: datetime) -> Batch:
    batch = changeable(batch)
    refuse_past_day(due_on, now)
    batch.due_on = due_on
    batch.save(update_fields=["due_on"])
    when = f"is due on {due_on:%d.%m.%Y}" if due_on else "has no due date any more"
    record_event(study=batch.study, actor=actor, summary=f"The batch “{batch.name}” {when}", now=now)
    return batch


@transaction.atomic
def rename_batch(*, batch: Batch, name: str, actor: User, now: datetime) -> Batch:
    """Annotators see the new name at once, Label Studio within a minute."""
    name = name.strip()
    if not name:
        raise NoName
    one_opening_at_a_time(batch.study)
    batch = changeable(batch)
    if name == batch.name:
        return batch
    refuse_taken_name(batch.study, name)
    summary = f"Renamed the batch “{batch.name}” to “{name}”"
    batch.name = name
    batch.save(update_fields=["name"])
    record_event(study=batch.study, actor=actor, summary=summary, now=now)
    enqueue_preparation(batch=batch, actor=actor, now=now)
    return batch


# Undoes the opening of a batch on which nobody has worked yet: it vanishes, and its items can be dealt again.
@transaction.atomic
def discard_batch(*, batch: Batch, actor: User, now: datetime) -> Batch:
    """From here on nobody can work on it; a worker removes it from Label Studio first, then here."""
    batch = changeable(batch)
    if has_work(batch):
        raise WorkCameIn(batch.name)
    batch.state_before, batch.state = batch.state, BatchState.DISCARDING
    batch.save(update_fields=["state", "state_before"])
    record_event(study=batch.study, actor=actor, summary=f"Discards the batch “{batch.name}”", now=now)
    enqueue_discarding(batch=batch, actor=actor, now=now)
    return batch


@transaction.atomic
def keep_batch(*, batch: Batch, actor: User | None, now: datetime) -> Batch:
    """Calls a discarding off. Whatever Label Studio has lost by then is put back, as it held no work."""
    batch = lock_batch(batch)
    refuse_state(batch, [BatchState.DISCARDING])
    batch.state, batch.state_before = batch.state_before, ""
    batch.save(update_fields=["state", "state_before"])
    record_event(study=batch.study, actor=actor, summary=f"Kept the batch “{batch.name}”", now=now)
    enqueue_preparation(batch=batch, actor=actor, now=now)
    return batch


@transaction.atomic
def forget_batch(*, batch: Batch, actor: User | None, now: datetime) -> None:
    """The last step of discarding, once Label Studio holds nothing of it."""
    batch = lock_batch(batch)
    refuse_state(batch, [BatchState.DISCARDING])
    if has_work(batch):
        raise WorkCameIn(batch.name)
    summary = f"The batch “{batch.name}” is discarded; its items can be given out again"
    record_event(study=batch.study, actor=actor, summary=summary, now=now)
    batch.delete()
