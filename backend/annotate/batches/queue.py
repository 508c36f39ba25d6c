"""Leaves it to a worker to bring Label Studio in line with a batch."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from backend.annotate.batches.models import Batch
from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.services import enqueue_job

PREPARE_BATCH = "prepare_batch"
DISCARD_BATCH = "discard_batch"


class PrepareJob(BaseModel):
    """The arguments of a preparation."""

    batch: int


class DiscardJob(BaseModel):
    """The arguments of a discarding; the batch is gone in the end, so its name and who wanted it go along."""

    batch: int
    name: str
    slug: str
    actor: int


def enqueue_preparation(*, batch: Batch, actor: User | None, now: datetime) -> Job:
    """Projects, items, seats: whatever differs is mended, so it can be asked for after every change."""
    job = PrepareJob(batch=batch.pk)
    return enqueue_job(
        kind=PREPARE_BATCH,
        arguments=job.model_dump(mode="json"),
        study=batch.study,
        created_by=actor,
        now=now,
    )


def enqueue_discarding(*, batch: Batch, actor: User, now: datetime) -> Job:
    job = DiscardJob(batch=batch.pk, name=batch.name, slug=batch.study.slug, actor=actor.pk)
    return enqueue_job(
        kind=DISCARD_BATCH,
        arguments=job.model_dump(mode="json"),
        study=batch.study,
        created_by=actor,
        now=now,
    )
