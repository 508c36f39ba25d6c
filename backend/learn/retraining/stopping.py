"""What people do with a run: stop it, and take it up again where it stopped."""

from __future__ import annotations

from datetime import datetime

from backend.core.jobs.services import request_cancel, retry_job
from backend.learn.retraining.ending import close_abandoned_runs
from backend.learn.retraining.errors import AlreadyRetraining
from backend.learn.retraining.models import RetrainingRun
from backend.learn.retraining.selectors import run_under_way


def stop_run(*, run: RetrainingRun, now: datetime) -> None:
    """A run that still waited for a worker is over at once; one at work stops within seconds."""
    request_cancel(job_id=run.job_id, now=now)
    close_abandoned_runs(now=now)


def take_up_again(*, run: RetrainingRun, now: datetime) -> None:
    """A run that failed or was stopped goes on at the step it had come to."""
    other = run_under_way(run.study)
    if other is not None:
        raise AlreadyRetraining(other.number)
    retry_job(job_id=run.job_id, now=now)
