"""Leaves the search for suspects to a worker."""

from __future__ import annotations

from datetime import datetime

from backend.accounts.models import User
from backend.jobs.models import Job
from backend.jobs.services import enqueue_job
from backend.studies.models import Study

FIND_SUSPECTS = "find_suspects"


def enqueue_find_suspects(*, study: Study, actor: User, now: datetime) -> Job:
    return enqueue_job(
        kind=FIND_SUSPECTS, arguments={"study": study.pk}, study=study, created_by=actor, now=now
    )
