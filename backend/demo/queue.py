"""Leaves it to workers to play the demo's calibration round once Label Studio is up, to learn from it, and to show what
comes of that."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from backend.batches.models import Batch
from backend.jobs.models import Job
from backend.jobs.services import enqueue_job
from backend.studies.models import Study

PLAY_ROUND, LEARN, SHOW = "play_demo_round", "learn_from_demo_round", "show_demo_model"


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


class ShowJob(BaseModel):
    """Which study is to show what a model does."""

    study: int


def enqueue_showing(*, study: Study, now: datetime) -> Job:
    job = ShowJob(study=study.pk)
    return enqueue_job(
        kind=SHOW, arguments=job.model_dump(mode="json"), study=study, created_by=None, now=now
    )
