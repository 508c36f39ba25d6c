"""One push of a batch at a time: of two, each would make in Label Studio what it does not see of the other's yet."""

from __future__ import annotations

from django.db import transaction

from backend.batches.models import Batch
from backend.jobs.models import JobState
from backend.mirror.errors import BatchIsBusy
from backend.mirror.models import Turn


@transaction.atomic
def take_turn(*, batch_id: int, job_id: int) -> None:
    """It ends with the job, however that ends: a job whose worker died runs no longer once its lease is over."""
    batch = Batch.objects.select_for_update(no_key=True).filter(pk=batch_id).first()
    if batch is None:
        return
    turn, _ = Turn.objects.select_related("job").get_or_create(batch=batch)
    holder = turn.job
    if holder is not None and holder.pk != job_id and holder.state == JobState.RUNNING:
        raise BatchIsBusy(f"“{batch.name}” is being brought in line by job {holder.pk} already.")
    turn.job_id = job_id
    turn.save(update_fields=["job"])
