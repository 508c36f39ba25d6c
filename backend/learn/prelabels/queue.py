"""Leaves it to a worker to bring the suggestions of a batch in line with what is in service."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from backend.annotate.batches.models import Batch
from backend.core.accounts.models import User
from backend.core.jobs.models import Job, JobState
from backend.core.jobs.selectors import active_jobs
from backend.core.jobs.services import enqueue_job

PUSH_PRELABELS = "push_prelabels"


class PushJob(BaseModel):
    """What is to be shown is read when it runs, so the same job serves every change before it."""

    batch: int


def enqueue_push(*, batch: Batch, actor: User | None, now: datetime) -> Job:
    """One that waits already will see the newest state; one that runs may have read an older one."""
    arguments = PushJob(batch=batch.pk).model_dump(mode="json")
    waiting = active_jobs(batch.study_id).filter(kind=PUSH_PRELABELS, state=JobState.QUEUED)
    for job in waiting:
        if job.arguments == arguments:
            return job
    return enqueue_job(kind=PUSH_PRELABELS, arguments=arguments, study=batch.study, created_by=actor, now=now)


def active_pushes(study_id: int) -> dict[int, Job]:
    """By batch."""
    found = active_jobs(study_id).filter(kind=PUSH_PRELABELS).order_by("-pk")
    return {PushJob.model_validate(job.arguments).batch: job for job in found}
