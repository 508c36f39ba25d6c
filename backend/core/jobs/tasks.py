"""Celery's door to jobs: two thin tasks, both safe to run at any time and any number of times."""

from __future__ import annotations

from django.utils import timezone

from backend.celery import app
from backend.core.jobs.leases import requeue_expired
from backend.core.jobs.runner import run_job
from backend.core.jobs.services import wake_queued_jobs


@app.task(name="jobs.run")  # type: ignore[untyped-decorator]
def run(job_id: int) -> None:
    run_job(job_id=job_id, clock=timezone.now)


@app.task(name="jobs.sweep")  # type: ignore[untyped-decorator]
def sweep() -> None:
    now = timezone.now()
    requeue_expired(now=now)
    wake_queued_jobs(now=now)
