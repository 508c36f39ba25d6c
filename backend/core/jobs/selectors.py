"""Reads jobs for pages, calls and the sweep: lists, speed and time left."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from backend.core.jobs.models import ACTIVE_STATES, Job, JobState


@dataclass(frozen=True)
class Pace:
    """Units per second over the latest attempt, and what is left at that speed; None when not known, or when all is
    done that is counted."""

    rate: float | None
    time_left: timedelta | None


def study_jobs(study_id: int) -> QuerySet[Job]:
    return Job.objects.filter(study_id=study_id).select_related("created_by")


def active_jobs(study_id: int) -> QuerySet[Job]:
    return study_jobs(study_id).filter(state__in=ACTIVE_STATES)


def unwoken_jobs(woken_before: datetime) -> QuerySet[Job]:
    """Queued jobs for which no message was sent, or the last one long ago; oldest first."""
    return Job.objects.filter(
        Q(woken_at__isnull=True) | Q(woken_at__lte=woken_before), state=JobState.QUEUED
    ).order_by("created_at", "pk")


def neglected_jobs(heard_of_before: datetime) -> QuerySet[Job]:
    """Queued jobs that the sweep has passed by since then. One that was handed back has no message until the next
    sweep, and counts from when it was taken up."""
    heard_of = Coalesce("woken_at", "started_at", "created_at")
    return (
        Job.objects.filter(state=JobState.QUEUED)
        .alias(heard_of=heard_of)
        .filter(heard_of__lte=heard_of_before)
    )


def job_pace(job: Job, *, now: datetime) -> Pace:
    end = job.finished_at or now
    gained = job.progress_done - job.progress_start
    if job.started_at is None or job.state == JobState.QUEUED or end <= job.started_at or gained <= 0:
        return Pace(None, None)
    rate = gained / (end - job.started_at).total_seconds()
    left = 0 if job.progress_total is None else job.progress_total - job.progress_done
    if left <= 0 or job.state != JobState.RUNNING:
        return Pace(rate, None)
    return Pace(rate, timedelta(seconds=left / rate))
