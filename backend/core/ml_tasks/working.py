"""Has the ML backend work on a task and follows it: safe to run twice, from any worker, after any kill."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import cast

from django.conf import settings
from kombu.exceptions import OperationalError

from backend.celery import app
from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobCancelled, JobPostponed
from backend.core.ml_tasks.following import TaskFollower, was_taken
from learning.tasks.contract import AgreementRequest, R, Request, Result, is_result_of
from learning.tasks.folder import TaskFolder

# Agreement has a name of its own, so that it can be sent to workers of its own
ML_TASK, AGREEMENT_TASK = "ml.work", "ml.measure_agreement"
# A job asks again with each sweep, so an old message would only repeat what a newer one says.
MESSAGE_LIVES = timedelta(seconds=30)
LOOK_EVERY_SECONDS = 0.2
STOPS_WITHIN_SECONDS = 30.0


class TaskHalted(Exception):
    """Raised by a follower that wants no more of it for the moment."""


def work_on(
    context: JobContext, folder: TaskFolder, request: Request[R], follower: TaskFollower | None = None
) -> R:
    """Raises TaskFailed, JobPostponed while nobody can take it, and JobCancelled, or what the follower halts it with,
    once the work has really stopped."""
    if folder.is_worked_on() and not folder.asks_for(request):
        stop_work(folder)
    folder.write_request(request)
    follower = follower or TaskFollower(context, folder)
    try:
        if folder.cancel.exists():
            _wait_until_stopped(folder)
        folder.beat()
        result = _wait_for_result(follower, folder, request)
    except (JobCancelled, TaskHalted):
        stop_work(folder)
        raise
    was_taken(context)
    refuse_unless(is_result_of(request, result), folder)
    return cast(R, result)


def refuse_unless(is_asked_for: bool, folder: TaskFolder) -> None:
    """What was not asked for goes, so that the next try gets another result. Raises OtherResult."""
    if not is_asked_for:
        folder.result.unlink(missing_ok=True)
        raise OtherResult


def _wait_for_result(follower: TaskFollower, folder: TaskFolder, request: Request[R]) -> Result:
    deadline = 0.0
    while (result := folder.read_result()) is None:
        reason = folder.take_failure()
        if reason is not None:
            raise TaskFailed(reason)
        folder.beat()
        if folder.is_worked_on():
            follower.report()
            deadline = 0.0
        elif not deadline:
            follower.report_waiting()
            _ask(follower, folder, AGREEMENT_TASK if isinstance(request, AgreementRequest) else ML_TASK)
            deadline = time.monotonic() + settings.ML_PATIENCE.total_seconds()
        elif time.monotonic() < deadline:
            follower.report_waiting()
        else:
            _postpone(follower, folder, request)
        time.sleep(LOOK_EVERY_SECONDS)
    return result


def _ask(follower: TaskFollower, folder: TaskFolder, task: str) -> None:
    message = {"folder": str(folder.path), "job_id": follower.job_id}
    try:
        app.send_task(task, kwargs=message, expires=MESSAGE_LIVES.total_seconds(), retry=False)
    except (OperationalError, OSError) as problem:
        follower.report_waiting("Waiting for the message broker")
        raise JobPostponed("No message reaches the ML backend.") from problem


def _postpone(follower: TaskFollower, folder: TaskFolder, request: Request[R]) -> None:
    """Back to the queue, where waiting costs nothing."""
    if folder.is_somebody_busy(request):
        follower.report_waiting("Waiting until the ML backend is done with another task")
        raise JobPostponed("The ML backend is busy.")
    follower.report_unanswered()
    raise JobPostponed("The ML backend has not answered yet.")


def stop_work(folder: TaskFolder) -> None:
    """Comes back when the process is gone, or at the latest after a while: then the machine it ran on is."""
    folder.stop()
    _wait_until_stopped(folder)


def _wait_until_stopped(folder: TaskFolder) -> None:
    deadline = time.monotonic() + STOPS_WITHIN_SECONDS
    while folder.is_worked_on() and time.monotonic() < deadline:
        time.sleep(LOOK_EVERY_SECONDS)
    folder.cancel.unlink(missing_ok=True)


class TaskFailed(Exception):
    """The ML backend said why it could not do what it was asked for."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The ML backend could not do it: {reason}")


class OtherResult(Exception):
    def __init__(self) -> None:
        super().__init__(
            "The ML backend answered something else than it was asked: see that all processes run the same version, "
            "then try again."
        )
