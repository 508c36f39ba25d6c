"""Calls about a study's jobs."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Router, Schema

from backend.core.jobs import services
from backend.core.jobs.models import Job, JobState
from backend.core.jobs.selectors import study_jobs
from backend.core.studies.access import RESEARCHER, study_of

router = Router(auth=RESEARCHER)


class JobOut(Schema):
    id: int
    kind: str
    state: JobState
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    progress_done: int
    progress_total: int | None
    progress_unit: str
    progress_note: str
    result: Any
    error: str


def _job(request: HttpRequest, job_id: int) -> Job:
    return get_object_or_404(study_jobs(study_of(request).pk), pk=job_id)


@router.get("", response=list[JobOut])
def list_jobs(request: HttpRequest, limit: int = 50) -> list[Job]:
    return list(study_jobs(study_of(request).pk)[: max(1, min(limit, 500))])


@router.get("{int:job_id}", response=JobOut)
def read_job(request: HttpRequest, job_id: int) -> Job:
    return _job(request, job_id)


@router.post("{int:job_id}/cancel", response=JobOut)
def cancel_job(request: HttpRequest, job_id: int) -> Job:
    services.request_cancel(job_id=_job(request, job_id).pk, now=timezone.now())
    return _job(request, job_id)


@router.post("{int:job_id}/retry", response=JobOut)
def retry_job(request: HttpRequest, job_id: int) -> Job:
    services.retry_job(job_id=_job(request, job_id).pk, now=timezone.now())
    return _job(request, job_id)
