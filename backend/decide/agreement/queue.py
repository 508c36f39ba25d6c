"""Leaves it to a worker, and through it to the ML backend, to measure a batch."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from backend.annotate.batches.models import Batch
from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.selectors import active_jobs
from backend.core.jobs.services import enqueue_job

MEASURE_AGREEMENT = "measure_agreement"
RESAMPLES, SEED = 1000, 1


class MeasureJob(BaseModel):
    """The arguments of a measurement, of the answers that there are when it runs.

    No actor: it was asked for because the batch was complete.
    """

    batch: int
    resamples: int
    seed: int
    actor: int | None


def enqueue_measuring(*, batch: Batch, job: MeasureJob, actor: User | None, now: datetime) -> Job:
    return enqueue_job(
        kind=MEASURE_AGREEMENT,
        arguments=job.model_dump(mode="json"),
        study=batch.study,
        created_by=actor,
        now=now,
    )


def waiting_measurements(batch: Batch) -> list[tuple[Job, MeasureJob]]:
    """What is being measured on this batch, oldest first."""
    found = active_jobs(batch.study_id).filter(kind=MEASURE_AGREEMENT).order_by("pk")
    read = [(job, MeasureJob.model_validate(job.arguments)) for job in found]
    return [(job, asked) for job, asked in read if asked.batch == batch.pk]
