"""One push of a batch at a time: of two, each would make in Label Studio what it does not see of the other's yet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from backend.annotate.batches.models import Batch
from backend.annotate.label_studio.errors import LabelStudioUnreachable
from backend.annotate.sync.errors import BatchIsBusy
from backend.annotate.sync.models import BatchLock
from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobPostponed
from backend.core.jobs.models import JobState


@contextmanager
def hold_batch_lock(batch_id: int, context: JobContext) -> Iterator[None]:
    """Another job on the batch will end, and Label Studio will be up again: until then this one waits in the queue."""
    try:
        take_batch_lock(batch_id=batch_id, job_id=context.job_id)
        yield
    except BatchIsBusy as problem:
        raise JobPostponed(str(problem)) from problem
    except LabelStudioUnreachable as problem:
        context.report(done=0, note="Waiting for Label Studio to answer")
        raise JobPostponed(str(problem)) from problem


@transaction.atomic
def take_batch_lock(*, batch_id: int, job_id: int) -> None:
    """It ends with the job, however that ends: a job whose worker died runs no longer once its lease is over."""
    batch = Batch.objects.select_for_update(no_key=True).filter(pk=batch_id).first()
    if batch is None:
        return
    turn, _ = BatchLock.objects.select_related("job").get_or_create(batch=batch)
    holder = turn.job
    if holder is not None and holder.pk != job_id and holder.state == JobState.RUNNING:
        raise BatchIsBusy(f"“{batch.name}” is being brought in line by job {holder.pk} already.")
    turn.job_id = job_id
    turn.save(update_fields=["job"])
