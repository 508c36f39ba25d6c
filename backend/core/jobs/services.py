"""What people and the schedule do with jobs: enqueue, cancel, retry, and wake those that no message woke."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Case, F, Q, Value, When
from kombu.exceptions import OperationalError

from backend.celery import app
from backend.core.hooks import job_cancelled
from backend.core.jobs.errors import JobAlreadyOver, JobNotRetryable
from backend.core.jobs.handlers import handler_for
from backend.core.jobs.models import ACTIVE_STATES, Job, JobState
from backend.core.jobs.selectors import study_jobs, unwoken_jobs
from backend.core.jobs.values import JsonObject

if TYPE_CHECKING:
    from backend.core.accounts.models import User
    from backend.core.studies.models import Study

logger = logging.getLogger(__name__)
RUN_TASK = "jobs.run"
WAKE_AGAIN_AFTER = timedelta(seconds=30)
TRY_AGAIN_AFTER = timedelta(minutes=10)


def enqueue_job(
    *, kind: str, arguments: JsonObject, study: Study | None, created_by: User | None, now: datetime
) -> Job:
    handler_for(kind)
    job = Job.objects.create(
        kind=kind, arguments=arguments, study=study, created_by=created_by, created_at=now, woken_at=now
    )
    transaction.on_commit(partial(_send_wake_up, job.pk))
    return job


def enqueue_once(*, kind: str, study: Study, now: datetime) -> None:
    """What a page found due in a study: not while one such job waits or is at work, nor soon after one failed."""
    failed_lately = Q(state=JobState.FAILED, finished_at__gt=now - TRY_AGAIN_AFTER)
    known = study_jobs(study.pk).filter(Q(state__in=ACTIVE_STATES) | failed_lately, kind=kind)
    if known.exists():
        return
    with transaction.atomic():
        type(study).objects.select_for_update(no_key=True).get(pk=study.pk)
        if not known.exists():
            enqueue_job(kind=kind, arguments={"study": study.pk}, study=study, created_by=None, now=now)


def request_cancel(*, job_id: int, now: datetime) -> None:
    """A queued job ends at once; a running one is told, and stops at its next report. What either of them has others
    do for it is stopped at once."""
    queued = Q(state=JobState.QUEUED)
    # One statement, so that a job that changes hands meanwhile cannot slip through between two.
    changed = Job.objects.filter(pk=job_id, state__in=ACTIVE_STATES).update(
        state=Case(When(queued, then=Value(JobState.CANCELLED)), default=F("state")),
        finished_at=Case(When(queued, then=Value(now)), default=None),
        cancel_requested=True,
    )
    if changed != 1:
        raise JobAlreadyOver(f"Job {job_id} has already ended: there is nothing to cancel.")
    transaction.on_commit(partial(job_cancelled, job_id))


def retry_job(*, job_id: int, now: datetime) -> None:
    """Puts a failed or cancelled job back in the queue with all its attempts."""
    changed = Job.objects.filter(pk=job_id, state__in=[JobState.FAILED, JobState.CANCELLED]).update(
        state=JobState.QUEUED,
        finished_at=None,
        error="",
        attempts=0,
        cancel_requested=False,
        woken_at=now,
    )
    if changed != 1:
        raise JobNotRetryable(f"Job {job_id} did not fail and was not cancelled: it cannot be tried again.")
    transaction.on_commit(partial(_send_wake_up, job_id))


def wake_queued_jobs(*, now: datetime) -> list[int]:
    """Sends the message again for queued jobs whose wake-up was never sent or went missing."""
    woken = []
    for job in unwoken_jobs(now - WAKE_AGAIN_AFTER):
        waiting = Job.objects.filter(pk=job.pk, state=JobState.QUEUED, woken_at=job.woken_at)
        if waiting.update(woken_at=now):
            _send_wake_up(job.pk)
            woken.append(job.pk)
    return woken


def _send_wake_up(job_id: int) -> None:
    """The row is the truth: without a broker the job waits for the sweep instead of failing."""
    try:
        app.send_task(RUN_TASK, args=[job_id], retry=False)
    except (OperationalError, OSError) as problem:
        logger.warning("Job %s is queued but no worker could be told (%s).", job_id, type(problem).__name__)
        Job.objects.filter(pk=job_id, state=JobState.QUEUED).update(woken_at=None)
