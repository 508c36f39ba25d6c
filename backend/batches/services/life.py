"""Pauses, resumes, closes and reopens a batch, and moves its due date."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from django.db import transaction

from backend.accounts.models import User
from backend.batches.errors import WrongState
from backend.batches.models import Batch, BatchState
from backend.batches.queue import enqueue_preparation
from backend.batches.services.opening import refuse_past_day
from backend.studies.services import record_event

_REMEDIES = {
    BatchState.OPEN: "",
    BatchState.PAUSED: "resume it first",
    BatchState.CLOSED: "reopen it first",
}


def locked(batch: Batch) -> Batch:
    """The batch as it stands now, held still until the transaction ends."""
    return Batch.objects.select_for_update(no_key=True, of=("self",)).select_related("study").get(pk=batch.pk)


def refuse_state(batch: Batch, allowed: Sequence[BatchState]) -> None:
    state = BatchState(batch.state)
    if state not in allowed:
        raise WrongState(batch.name, state.label.lower(), _REMEDIES[state])


def pause_batch(*, batch: Batch, actor: User, now: datetime) -> Batch:
    """Nobody can go on until it is resumed; what was done stays."""
    return _move(batch, [BatchState.OPEN], BatchState.PAUSED, "Paused", actor, now)


def resume_batch(*, batch: Batch, actor: User, now: datetime) -> Batch:
    return _move(batch, [BatchState.PAUSED], BatchState.OPEN, "Resumed", actor, now)


def close_batch(*, batch: Batch, actor: User, now: datetime) -> Batch:
    """Ends the work on a batch, finished or not."""
    return _move(batch, [BatchState.OPEN, BatchState.PAUSED], BatchState.CLOSED, "Closed", actor, now)


def reopen_batch(*, batch: Batch, actor: User, now: datetime) -> Batch:
    return _move(batch, [BatchState.CLOSED], BatchState.OPEN, "Reopened", actor, now)


@transaction.atomic
def _move(
    batch: Batch, allowed: Sequence[BatchState], state: BatchState, verb: str, actor: User, now: datetime
) -> Batch:
    batch = locked(batch)
    refuse_state(batch, allowed)
    batch.state = state
    batch.save(update_fields=["state"])
    record_event(study=batch.study, actor=actor, summary=f"{verb} the batch “{batch.name}”", now=now)
    enqueue_preparation(batch=batch, actor=actor, now=now)
    return batch


@transaction.atomic
def change_due_date(*, batch: Batch, due_on: date | None, actor: User, now: datetime) -> Batch:
    batch = locked(batch)
    refuse_past_day(due_on, now)
    batch.due_on = due_on
    batch.save(update_fields=["due_on"])
    when = f"is due on {due_on:%d.%m.%Y}" if due_on else "has no due date any more"
    record_event(study=batch.study, actor=actor, summary=f"The batch “{batch.name}” {when}", now=now)
    return batch
