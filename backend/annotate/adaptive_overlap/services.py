"""Asks somebody else where the answers so far leave an item open. To do it twice changes nothing."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from pydantic import BaseModel

from annotation.adaptive_overlap import seats_to_add
from backend.annotate.adaptive_overlap.selectors import loads_of, overlap_state
from backend.annotate.batches.models import Batch, BatchKind, BatchState
from backend.annotate.batches.queue import enqueue_preparation
from backend.annotate.batches.services.life import lock_batch
from backend.annotate.batches.services.people import add_to_share
from backend.core.jobs.models import Job, JobState
from backend.core.jobs.selectors import active_jobs
from backend.core.jobs.services import enqueue_job
from backend.core.studies.services import record_event

ASK_AGAIN = "ask_again"


class AskJob(BaseModel):
    batch: int


def ask_again_if_adaptive(batch: Batch, now: datetime) -> Job | None:
    """A job that waits already will see the newest answers; one that runs may have read older ones."""
    if batch.kind != BatchKind.ADAPTIVE or batch.state != BatchState.OPEN:
        return None
    arguments = AskJob(batch=batch.pk).model_dump(mode="json")
    for job in active_jobs(batch.study_id).filter(kind=ASK_AGAIN, state=JobState.QUEUED):
        if job.arguments == arguments:
            return job
    return enqueue_job(kind=ASK_AGAIN, arguments=arguments, study=batch.study, created_by=None, now=now)


@transaction.atomic
def ask_again(batch: Batch, *, now: datetime) -> int:
    """How many answers were asked for. The batch is held still: of two at once, the second finds nothing to do."""
    batch = lock_batch(batch)
    state = overlap_state(batch) if batch.state == BatchState.OPEN else None
    if state is None:
        return 0
    added = seats_to_add(state.items, state.standing, loads_of(batch), batch.seed)
    if not added:
        return 0
    rows = dict(
        batch.study.items.filter(assigned_items__assignment__batch=batch).values_list("item_id", "pk")
    )
    for share in batch.assignments.filter(annotator__username__in=added).select_related("annotator"):
        add_to_share(share, {rows[item]: True for item in added[share.annotator.username]})
    n = sum(map(len, added.values()))
    summary = f"Asked for {n} more answer{'s' if n > 1 else ''} in “{batch.name}”, where the first left an item open"
    record_event(study=batch.study, actor=None, summary=summary, now=now)
    enqueue_preparation(batch=batch, actor=None, now=now)
    return n
