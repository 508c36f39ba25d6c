"""Leaves a retraining to a worker."""

from __future__ import annotations

from datetime import datetime

from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.services import enqueue_job
from backend.core.studies.models import Study

RETRAIN = "retrain"


def enqueue_retraining(*, study: Study, number: int, actor: User | None, now: datetime) -> Job:
    return enqueue_job(kind=RETRAIN, arguments={"retraining": number}, study=study, created_by=actor, now=now)
