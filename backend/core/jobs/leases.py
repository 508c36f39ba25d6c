"""The worker's side of a job: each write compares and swaps on the fence, so a late one changes nothing."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet

from backend.core.hooks import job_cancelled
from backend.core.jobs.errors import LeaseLost
from backend.core.jobs.models import MAX_ATTEMPTS, Job, JobState
from backend.core.jobs.values import Claim, Json, Progress

WORKER_KEPT_STOPPING = (
    f"The worker stopped {MAX_ATTEMPTS} times in the middle of this job. "
    "Look for a lack of memory or disk space in the worker's log, then retry the job."
)


def claim_job(*, job_id: int, now: datetime) -> Claim | None:
    """The right to run a queued job, or None when it is not queued or another worker was faster."""
    job = Job.objects.filter(pk=job_id, state=JobState.QUEUED).first()
    if job is None:
        return None
    changed = Job.objects.filter(pk=job_id, state=JobState.QUEUED, fence=job.fence).update(
        state=JobState.RUNNING,
        fence=job.fence + 1,
        attempts=F("attempts") + 1,
        started_at=now,
        heartbeat_at=now,
        lease_until=now + settings.JOB_LEASE,
        progress_start=F("progress_done"),
    )
    if changed != 1:
        return None
    return Claim(job.pk, job.fence + 1, job.kind, job.study_id, job.arguments, job.progress_note)


def heartbeat(claim: Claim, *, progress: Progress | None, now: datetime) -> bool:
    """Extends the lease, writes progress if given, and says whether a person asked to cancel."""
    changed = _held_jobs(claim).update(
        heartbeat_at=now, lease_until=now + settings.JOB_LEASE, **_progress_columns(progress)
    )
    if changed != 1:
        raise _lease_lost(claim)
    return Job.objects.filter(pk=claim.job_id, cancel_requested=True).exists()


def forget_attempts(claim: Claim) -> None:
    """A job that takes days may lose its worker more often than one that never gets anywhere."""
    _held_jobs(claim).filter(attempts__gt=1).update(attempts=1)


def finish_job(claim: Claim, *, result: Json, progress: Progress | None, now: datetime) -> None:
    _end(claim, JobState.DONE, now=now, progress=progress, result=result)


def fail_job(claim: Claim, *, error: str, progress: Progress | None, now: datetime) -> None:
    _end(claim, JobState.FAILED, now=now, progress=progress, error=error)


def stop_cancelled_job(claim: Claim, *, progress: Progress | None, now: datetime) -> None:
    _end(claim, JobState.CANCELLED, now=now, progress=progress)


def hand_back_job(claim: Claim, *, progress: Progress | None = None, now: datetime) -> None:
    """A worker that is told to stop gives its job to the next one; that is no failed attempt, and what it said last
    stays."""
    handed_back = (
        _held_jobs(claim)
        .filter(cancel_requested=False)
        .update(
            state=JobState.QUEUED,
            lease_until=None,
            heartbeat_at=None,
            woken_at=None,
            attempts=F("attempts") - 1,
            **_progress_columns(progress),
        )
    )
    if not handed_back:
        stop_cancelled_job(claim, progress=None, now=now)
        job_cancelled(claim.job_id)


def requeue_expired(*, now: datetime) -> list[int]:
    """Takes jobs from workers that fell silent: back to the queue, or to an end. Returns those queued."""
    expired = Job.objects.filter(state=JobState.RUNNING, lease_until__lte=now)
    taken = [job for job in expired if _take_away(job, now)]
    for job in taken:
        if _next_state(job) == JobState.CANCELLED:
            job_cancelled(job.pk)
    return [job.pk for job in taken if _next_state(job) == JobState.QUEUED]


def _take_away(job: Job, now: datetime) -> bool:
    state = _next_state(job)
    as_seen = Job.objects.filter(
        pk=job.pk,
        state=JobState.RUNNING,
        fence=job.fence,
        lease_until__lte=now,
        cancel_requested=job.cancel_requested,
    )
    changed = as_seen.update(
        state=state,
        lease_until=None,
        heartbeat_at=None,
        woken_at=None,
        finished_at=None if state == JobState.QUEUED else now,
        error=WORKER_KEPT_STOPPING if state == JobState.FAILED else "",
    )
    return changed == 1


def _next_state(job: Job) -> JobState:
    if job.cancel_requested:
        return JobState.CANCELLED
    return JobState.FAILED if job.attempts >= MAX_ATTEMPTS else JobState.QUEUED


def _held_jobs(claim: Claim) -> QuerySet[Job]:
    return Job.objects.filter(pk=claim.job_id, fence=claim.fence, state=JobState.RUNNING)


def _end(
    claim: Claim,
    state: JobState,
    *,
    now: datetime,
    progress: Progress | None,
    result: Json = None,
    error: str = "",
) -> None:
    with transaction.atomic():  # a result that is no JSON must leave the connection fit to say so
        changed = _held_jobs(claim).update(
            state=state,
            finished_at=now,
            lease_until=None,
            heartbeat_at=None,
            result=result,
            error=error,
            **_progress_columns(progress),
        )
    if changed != 1:
        raise _lease_lost(claim)


def _progress_columns(progress: Progress | None) -> dict[str, int | str | None]:
    if progress is None:
        return {}
    return {
        "progress_start": progress.start,
        "progress_done": progress.done,
        "progress_total": progress.total,
        "progress_unit": progress.unit,
        "progress_note": progress.note,
    }


def _lease_lost(claim: Claim) -> LeaseLost:
    return LeaseLost(
        f"Job {claim.job_id} is no longer held under fence {claim.fence}: another worker may have it. "
        "Nothing was written."
    )
