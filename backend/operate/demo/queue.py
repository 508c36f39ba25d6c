"""Leaves it to workers to play the small demo's rounds once Label Studio is up, to learn from them, and to show what
comes of that; and names the jobs of the story."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel

from backend.annotate.batches.models import Batch
from backend.core.jobs.models import Job
from backend.core.jobs.services import enqueue_job
from backend.core.studies.models import Study

PLAY_ROUNDS, LEARN, SHOW = "play_demo_rounds", "learn_from_demo_rounds", "show_demo_model"
TELL_STORY, RESET_DEMO = "tell_demo_story", "reset_demo"


class PlayJob(BaseModel):
    """Which batches are played."""

    batches: list[int]
    seed: int


def enqueue_rounds(*, study: Study, batches: Sequence[Batch], seed: int, now: datetime) -> Job:
    job = PlayJob(batches=[batch.pk for batch in batches], seed=seed)
    return enqueue_job(
        kind=PLAY_ROUNDS,
        arguments=job.model_dump(mode="json"),
        study=study,
        created_by=None,
        now=now,
    )


class LearnJob(BaseModel):
    """Which batches must have been read before."""

    batches: list[int]


def enqueue_learning(*, study: Study, batches: Sequence[Batch], now: datetime) -> Job:
    job = LearnJob(batches=[batch.pk for batch in batches])
    return enqueue_job(
        kind=LEARN, arguments=job.model_dump(mode="json"), study=study, created_by=None, now=now
    )


class ShowJob(BaseModel):
    """Which study is to show what a model does."""

    study: int


def enqueue_showing(*, study: Study, now: datetime) -> Job:
    job = ShowJob(study=study.pk)
    return enqueue_job(
        kind=SHOW, arguments=job.model_dump(mode="json"), study=study, created_by=None, now=now
    )
