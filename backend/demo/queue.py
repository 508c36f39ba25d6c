"""Leaves it to workers to play the demo's calibration round once Label Studio is up, and to learn from it then."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from backend.batches.models import Batch
from backend.jobs.models import Job
from backend.jobs.services import enqueue_job

PLAY_ROUND, LEARN = "play_demo_round", "learn_from_demo_round"


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


class LearnJob(BaseModel):
    """Which round to learn from."""

    batch: int


def enqueue_learning(*, batch: Batch, now: datetime) -> Job:
    job = LearnJob(batch=batch.pk)
    return enqueue_job(
        kind=LEARN, arguments=job.model_dump(mode="json"), study=batch.study, created_by=None, now=now
    )
