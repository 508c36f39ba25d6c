"""Commands that ask for a job and wait for what comes of it."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import CommandError

from backend.core.jobs.models import Job, JobState
from backend.core.studies.models import Study
from backend.decide.releases.models import Release

LOOK_EVERY_SECONDS = 0.3


def study_named(slug: str) -> Study:
    found = Study.objects.filter(slug=slug).first()
    if found is None:
        names = ", ".join(Study.objects.order_by("slug").values_list("slug", flat=True)) or "none"
        raise CommandError(f"There is no study {slug!r}. There are: {names}.")
    return found


def release_in(study: Study, number: int) -> Release:
    found = study.releases.select_related("edition", "study").filter(number=number).first()
    if found is None:
        raise CommandError(f"Study {study.slug!r} has no release {number}.")
    return found


def awaited(job: Job, patience: float) -> dict[str, Any]:
    """The job's result. It goes on by itself where nobody waits any longer."""
    deadline = time.monotonic() + patience
    while not job.is_over:
        if time.monotonic() > deadline:
            note = job.progress_note or "waiting for a worker"
            raise CommandError(f"Job {job.pk} is not done after {patience:g} s ({note}). It goes on.")
        time.sleep(LOOK_EVERY_SECONDS)
        job.refresh_from_db()
    if job.state != JobState.DONE or not isinstance(job.result, dict):
        raise CommandError(job.error or f"Job {job.pk} was stopped.")
    return job.result
