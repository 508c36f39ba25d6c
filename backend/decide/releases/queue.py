"""Leaves the freezing of a release to a worker."""

from __future__ import annotations

from datetime import datetime

from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.services import enqueue_job
from backend.core.studies.models import Study
from backend.decide.releases.requests import FreezeJob, FreezeRequest
from backend.decide.releases.services import refuse_taken_name

FREEZE_RELEASE = "freeze_release"


def enqueue_freezing(*, study: Study, request: FreezeRequest, actor: User, now: datetime) -> Job:
    """What can be refused at once is refused at once."""
    # The number of today's edition: one that is added before the worker comes changes nothing.
    asked = request.model_copy(update={"edition": request.edition_in(study).number})
    refuse_taken_name(study, asked)
    job = FreezeJob(study=study.pk, actor=actor.pk, request=asked)
    return enqueue_job(
        kind=FREEZE_RELEASE, arguments=job.model_dump(mode="json"), study=study, created_by=actor, now=now
    )
