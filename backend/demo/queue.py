"""Leaves it to a worker to play the demo's calibration round once Label Studio is up."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from backend.batches.models import Batch
from backend.jobs.models import Job
from backend.jobs.services import enqueue_job

PLAY_ROUND = "play_demo_round"


class PlayJob(BaseModel):
    """The arguments of a round."""

    batch: int
    seed: int


def enqueue_round(*, batch: Batch, seed: int, now: datetime) -> Job:
    job = PlayJob(batch=batch.pk, seed=seed)
    return enqueue_job(
        kind=PLAY_ROUND,
        arguments=job.model_dump(mode="json"),
        study=batch.study,
        created_by=None,
        now=now,
    )
