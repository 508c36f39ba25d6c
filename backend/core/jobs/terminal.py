"""What commands of the terminal have in common: the study that is named, and the job that is waited for."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import CommandError

from backend.core.jobs.models import Job, JobState
from backend.core.studies.models import Study

LOOK_EVERY_SECONDS = 0.2


def study_named(slug: str) -> Study:
    """Raises CommandError, which names those that there are."""
    found = Study.objects.filter(slug=slug).first()
    if found is None:
        names = ", ".join(Study.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no study {slug!r}. Studies here: {names}.")
    return found


def await_job(job: Job, patience: float, *, later: str = "ask again later") -> dict[str, Any]:
    """What came of it. Raises CommandError if it fails, is stopped or takes longer than so many seconds: it goes on by
    itself where nobody waits any longer."""
    deadline = time.monotonic() + patience
    while not job.is_over:
        if time.monotonic() > deadline:
            note = job.progress_note or "waiting for a worker"
            raise CommandError(
                f"Job {job.pk} is not done after {patience:g} s ({note}). It goes on: {later}."
            )
        time.sleep(LOOK_EVERY_SECONDS)
        job.refresh_from_db()
    if job.state != JobState.DONE or not isinstance(job.result, dict):
        raise CommandError(job.error or f"Job {job.pk} was stopped.")
    return job.result
