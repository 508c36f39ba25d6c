"""Celery's door to the ML backend: thin tasks that take paths, can be run twice, and wake the job that waits."""

from __future__ import annotations

import logging
from pathlib import Path

from celery.signals import worker_shutting_down
from kombu.exceptions import OperationalError

from ml_backend.agreement import AgreementTask, leave_report
from ml_backend.celery import app
from ml_backend.labelling.labellers import LABELLERS
from ml_backend.processes import CHILDREN, ExitCode, name_of

logger = logging.getLogger(__name__)
WAKE_TASK, WAKE_QUEUE = "jobs.run", "celery"


@app.task(name="ml.measure_agreement")  # type: ignore[untyped-decorator]
def measure_agreement(
    *, kind: str, inputs: str, report: str, failure: str, resamples: int, seed: int, job_id: int
) -> None:
    """One that is busy wakes nobody, here and below: the job would only ask again at once."""
    asked = AgreementTask(kind, Path(inputs), Path(report), Path(failure), resamples, seed)
    if leave_report(asked):
        wake_job(job_id)


@app.task(name="ml.work")  # type: ignore[untyped-decorator]
def work(*, folder: str, job_id: int) -> None:
    """Blocks until the process is over."""
    code = CHILDREN.run("task", folder)
    if code is None:
        return
    logger.info("Task %s ended with %s.", Path(folder).name, name_of(code))
    if code not in (ExitCode.TAKEN, ExitCode.BUSY, ExitCode.ABANDONED):
        wake_job(job_id)


@app.task(name="ml.label")  # type: ignore[untyped-decorator]
def label(*, folder: str) -> None:
    """An invitation to take part: it starts processes as far as this machine has room, and waits for none of them."""
    LABELLERS.join_in(Path(folder))


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
