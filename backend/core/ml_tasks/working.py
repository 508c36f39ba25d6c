"""Has the ML backend work on an order and follows it: safe to run twice, from any worker, after any kill."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import overload

from django.conf import settings
from kombu.exceptions import OperationalError

from backend.celery import app
from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobCancelled, JobPostponed
from backend.core.ml_tasks.errors import OrderFailed, OtherAnswer
from backend.core.ml_tasks.following import Following
from backend.core.ml_tasks.waiting import UNANSWERED, was_taken
from learning.tasks.folder import OrderFolder
from learning.tasks.orders import (
    Answer,
    CompareAnswer,
    CompareOrder,
    ExamineAnswer,
    ExamineOrder,
    Order,
    PredictAnswer,
    PredictOrder,
    SavingsAnswer,
    SavingsOrder,
    TrainAnswer,
    TrainOrder,
)

ML_TASK = "ml.work"
# A job asks again with each sweep, so an old message would only repeat what a newer one says.
MESSAGE_LIVES = timedelta(seconds=30)
LOOK_EVERY_SECONDS = 0.2
STOPS_WITHIN_SECONDS = 30.0
ANSWERS: dict[type[Order], type[Answer]] = {
    TrainOrder: TrainAnswer,
    PredictOrder: PredictAnswer,
    ExamineOrder: ExamineAnswer,
    CompareOrder: CompareAnswer,
    SavingsOrder: SavingsAnswer,
}


@overload
def work_on(context: JobContext, folder: OrderFolder, order: TrainOrder) -> TrainAnswer: ...
@overload
def work_on(context: JobContext, folder: OrderFolder, order: PredictOrder) -> PredictAnswer: ...
@overload
def work_on(context: JobContext, folder: OrderFolder, order: ExamineOrder) -> ExamineAnswer: ...
@overload
def work_on(context: JobContext, folder: OrderFolder, order: CompareOrder) -> CompareAnswer: ...
@overload
def work_on(context: JobContext, folder: OrderFolder, order: SavingsOrder) -> SavingsAnswer: ...
def work_on(context: JobContext, folder: OrderFolder, order: Order) -> Answer:
    """Raises OrderFailed, JobPostponed while nobody can take it, and JobCancelled once the work has really stopped."""
    if folder.is_worked_on() and not folder.asks_for(order):
        _stop(folder)
    folder.write_order(order)
    following = Following(context, folder)
    try:
        if folder.cancel.exists():
            _wait_until_stopped(folder)
        folder.want()
        answer = _answer(following, folder, order)
    except JobCancelled:
        _stop(folder)
        raise
    was_taken(context)
    refuse_unless(isinstance(answer, ANSWERS[type(order)]), folder)
    return answer


def refuse_unless(is_asked_for: bool, folder: OrderFolder) -> None:
    """An answer to something else goes, so that the next try gets another. Raises OtherAnswer."""
    if not is_asked_for:
        folder.answer.unlink(missing_ok=True)
        raise OtherAnswer


def _answer(following: Following, folder: OrderFolder, order: Order) -> Answer:
    deadline = 0.0
    while (answer := folder.read_answer()) is None:
        reason = folder.take_failure()
        if reason is not None:
            raise OrderFailed(reason)
        folder.want()
        if folder.is_worked_on():
            following.report()
            deadline = 0.0
        elif not deadline:
            following.report_waiting()
            _ask(following, folder)
            deadline = time.monotonic() + settings.ML_PATIENCE.total_seconds()
        elif time.monotonic() < deadline:
            following.report_waiting()
        else:
            _postpone(following, folder, order)
        time.sleep(LOOK_EVERY_SECONDS)
    return answer


def _ask(following: Following, folder: OrderFolder) -> None:
    message = {"folder": str(folder.path), "job_id": following.job_id}
    try:
        app.send_task(ML_TASK, kwargs=message, expires=MESSAGE_LIVES.total_seconds(), retry=False)
    except (OperationalError, OSError) as problem:
        following.report_waiting("Waiting for the message broker")
        raise JobPostponed("No message reaches the ML backend.") from problem


def _postpone(following: Following, folder: OrderFolder, order: Order) -> None:
    """Back to the queue, where waiting costs nothing."""
    is_busy = folder.is_somebody_busy(order)
    following.report_waiting(
        "Waiting until the ML backend is done with another order" if is_busy else UNANSWERED
    )
    raise JobPostponed("The ML backend is busy." if is_busy else "The ML backend has not answered yet.")


def _stop(folder: OrderFolder) -> None:
    """Comes back when the process is gone, or at the latest after a while: then the machine it ran on is."""
    folder.wanted.unlink(missing_ok=True)
    folder.cancel.touch()
    _wait_until_stopped(folder)


def _wait_until_stopped(folder: OrderFolder) -> None:
    deadline = time.monotonic() + STOPS_WITHIN_SECONDS
    while folder.is_worked_on() and time.monotonic() < deadline:
        time.sleep(LOOK_EVERY_SECONDS)
    folder.cancel.unlink(missing_ok=True)
