"""Leaves the search for suspects to a worker."""

from __future__ import annotations

from datetime import datetime

from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.services import enqueue_job
from backend.core.studies.models import Study

FIND_SUSPECTS = "find_suspects"


def enqueue_find_suspects(*, study: Study, actor: User, now: datetime) -> Job:
    return enqueue_job(
        kind=FIND_SUSPECTS, arguments={"study": study.pk}, study=study, created_by=actor, now=now
    )
