"""Does other jobs of the study from within the story's own, or waits for whoever does them already."""

from __future__ import annotations

import time

from django.conf import settings
from django.utils import timezone

from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobPostponed
from backend.core.jobs.models import Job, JobState
from backend.core.jobs.runner import run_job
from backend.core.jobs.values import Progress

PATIENCES, LOOK_EVERY_SECONDS = 20, 0.3


class StoryStuck(Exception):
    """A job of the story failed or was stopped, and what comes after needs it."""

    def __init__(self, job: Job) -> None:
        why = job.error or "it was stopped"
        super().__init__(f"{job.title} did not end well: {why}. Try this job again, or reset the demo.")


def finish(context: JobContext, job: Job | None) -> None:
    """Of two workers one gets it; if the other did, this one waits. Raises JobPostponed where nobody comes to it."""
    if job is None:
        return
    deadline = time.monotonic() + PATIENCES * settings.ML_PATIENCE.total_seconds()
    while _is_left(job):
        if job.state == JobState.QUEUED and time.monotonic() > deadline:
            raise JobPostponed(f"{job.title} waits for the ML backend.")
        repeat_progress(context)
        time.sleep(LOOK_EVERY_SECONDS)
    if job.state != JobState.DONE:
        raise StoryStuck(job)


def _is_left(job: Job) -> bool:
    """After an attempt, which does nothing where somebody else is at it."""
    if not job.is_over:
        run_job(job_id=job.pk, clock=timezone.now)
        job.refresh_from_db()
    return not job.is_over


def repeat_progress(context: JobContext) -> None:
    """Where the story must stop, it learns so here."""
    known = context.progress or Progress(0, None, "", "", 0)
    context.report(known.done, known.total, known.unit, known.note)
