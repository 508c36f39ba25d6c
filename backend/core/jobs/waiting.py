"""Waits for a job from the terminal, where nothing else is left to do."""

from __future__ import annotations

import time

from django.core.management.base import CommandError

from backend.core.jobs.models import Job, JobState

LOOK_EVERY_SECONDS = 0.2


def awaited(job: Job, patience: float) -> Job:
    """Raises CommandError if it fails, is stopped or takes longer than so many seconds."""
    deadline = time.monotonic() + patience
    while not job.is_over:
        if time.monotonic() > deadline:
            raise CommandError(
                f"Job {job.pk} is not done after {patience:g} s ({job.progress_note or 'waiting for a worker'}). "
                "It goes on: ask again later."
            )
        time.sleep(LOOK_EVERY_SECONDS)
        job.refresh_from_db()
    if job.state != JobState.DONE:
        raise CommandError(job.error or f"Job {job.pk} was stopped.")
    return job
