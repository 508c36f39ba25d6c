"""Leaves training to a worker, and through it to the ML backend."""

from __future__ import annotations

from datetime import datetime

from backend.accounts.models import User
from backend.adapters.errors import TextsNeeded
from backend.adapters.requests import TrainJob, TrainRequest
from backend.jobs.models import Job
from backend.jobs.services import enqueue_job
from backend.releases.models import Release
from backend.studies.models import Study

TRAIN_ADAPTER = "train_adapter"


def enqueue_training(
    *, study: Study, release: Release, request: TrainRequest, actor: User | None, now: datetime
) -> Job:
    refuse_textless(release)
    asked = request.model_copy(update={"release": release.number})
    job = TrainJob(request=asked, actor=actor.pk if actor else None)
    return enqueue_job(
        kind=TRAIN_ADAPTER,
        arguments=job.model_dump(mode="json"),
        study=study,
        created_by=actor,
        now=now,
    )


def refuse_textless(release: Release) -> None:
    if not release.request["texts"]:
        raise TextsNeeded(release.name)
