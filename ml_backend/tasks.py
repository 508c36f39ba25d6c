"""Celery's door to the ML backend: thin tasks that take a folder, can be run twice, and wake the job that waits."""

from __future__ import annotations

import logging
from pathlib import Path

from celery.signals import worker_shutting_down
from kombu.exceptions import OperationalError

from ml_backend.celery import app
from ml_backend.processes import CHILDREN, ExitCode, name_of

logger = logging.getLogger(__name__)
WAKE_TASK, WAKE_QUEUE = "jobs.run", "celery"


@app.task(name="ml.work")  # type: ignore[untyped-decorator]
def work(*, folder: str, job_id: int) -> None:
    """Blocks until the process is over. One that is busy wakes nobody: the job would only ask again at once."""
    code = CHILDREN.run("task", folder)
    if code is None:
        return
    logger.info("Task %s ended with %s.", Path(folder).name, name_of(code))
    if code not in (ExitCode.TAKEN, ExitCode.BUSY, ExitCode.ABANDONED):
        wake_job(job_id)


@app.task(name="ml.measure_agreement")  # type: ignore[untyped-decorator]
def measure_agreement(*, folder: str, job_id: int) -> None:
    """By a name of its own, so that it can be sent to workers of its own."""
    work(folder=folder, job_id=job_id)


def stop_children(**_: object) -> None:
    """A worker that is told to stop would otherwise first finish them, which may take hours."""
    CHILDREN.stop()


worker_shutting_down.connect(stop_children)


def wake_job(job_id: int) -> None:
    """Only to save time: the job looks again by itself."""
    try:
        app.send_task(WAKE_TASK, args=[job_id], queue=WAKE_QUEUE, retry=False)
    except (OperationalError, OSError) as problem:
        logger.warning(
            "Job %s could not be woken (%s): it will look by itself.", job_id, type(problem).__name__
        )
