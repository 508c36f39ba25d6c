"""Undoes the opening of a batch on which nobody has worked yet: it vanishes, and its items can be dealt again."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from backend.annotate.batches.errors import WorkCameIn
from backend.annotate.batches.models import Batch, BatchState
from backend.annotate.batches.queue import enqueue_discarding, enqueue_preparation
from backend.annotate.batches.selectors import has_work
from backend.annotate.batches.services.life import changeable, locked, refuse_state
from backend.core.accounts.models import User
from backend.core.studies.services import record_event


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
    batch = locked(batch)
    refuse_state(batch, [BatchState.DISCARDING])
    batch.state, batch.state_before = batch.state_before, ""
    batch.save(update_fields=["state", "state_before"])
    record_event(study=batch.study, actor=actor, summary=f"Kept the batch “{batch.name}”", now=now)
    enqueue_preparation(batch=batch, actor=actor, now=now)
    return batch


@transaction.atomic
def forget_batch(*, batch: Batch, actor: User | None, now: datetime) -> None:
    """The last step of discarding, once Label Studio holds nothing of it."""
    batch = locked(batch)
    refuse_state(batch, [BatchState.DISCARDING])
    if has_work(batch):
        raise WorkCameIn(batch.name)
    summary = f"The batch “{batch.name}” is discarded; its items can be given out again"
    record_event(study=batch.study, actor=actor, summary=summary, now=now)
    batch.delete()
