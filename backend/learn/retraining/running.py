"""Takes a run through its steps: what is done stays done, what was cut off is done again."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import IntegrityError, transaction
from django.utils import timezone

from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobCancelled, JobPostponed, LeaseLost, WorkerStopping
from backend.core.jobs.failures import describe_failure
from backend.learn.retraining.ending import STOPPED, end_run, failed_words
from backend.learn.retraining.errors import AlreadyRetraining, RunLost
from backend.learn.retraining.models import RetrainingRun, RunState, RunStep, StepKind
from backend.learn.retraining.selectors import run_under_way
from backend.learn.retraining.steps.values import Done, Ending, Step

BEHIND = ("study", "job", "edition", "previous", "release", "adapter", "promotion_report", "started_by")
AGAIN = (RunState.FAILED, RunState.CANCELLED)


def carry_out(context: JobContext, steps: Mapping[StepKind, Step]) -> RetrainingRun:
    """The run as it ended. Raises what stops the job, after the run says so too."""
    run = _run_of(context.job_id)
    if run.state in AGAIN:
        _take_up_again(run, context)
    if run.is_over:
        return run
    try:
        _go_through(run, context, steps)
    except (JobPostponed, LeaseLost, WorkerStopping):
        raise
    except JobCancelled:
        _end(run, context, Ending(RunState.CANCELLED, STOPPED))
        raise
    except Exception as error:
        _end(run, context, Ending(RunState.FAILED, failed_words(describe_failure(error))))
        raise
    return run


def _go_through(run: RetrainingRun, context: JobContext, steps: Mapping[StepKind, Step]) -> None:
    done = set(run.steps.exclude(done_at=None).values_list("kind", flat=True))
    for kind, step in steps.items():
        if kind not in done and not run.is_over:
            row = _begin(run, kind, context)
            _finish(run, row, step(run, context), context)


def _run_of(job_id: int) -> RetrainingRun:
    run = RetrainingRun.objects.select_related(*BEHIND).filter(job=job_id).first()
    if run is None:
        raise RunLost(job_id)
    return run


def _take_up_again(run: RetrainingRun, context: JobContext) -> None:
    """The job was tried again: the run goes on, unless another is under way by now."""
    try:
        with context.fenced_transaction(), transaction.atomic():
            stopped = RetrainingRun.objects.filter(pk=run.pk, state__in=AGAIN)
            stopped.update(state=RunState.RUNNING, words="", finished_at=None)
    except IntegrityError:
        other = run_under_way(run.study)
        raise AlreadyRetraining(other.number if other else 0) from None
    run.refresh_from_db()


def _begin(run: RetrainingRun, kind: StepKind, context: JobContext) -> RunStep:
    with context.fenced_transaction():
        row, _ = RunStep.objects.get_or_create(run=run, kind=kind, defaults={"begun_at": timezone.now()})
    return row


def _finish(run: RetrainingRun, row: RunStep, found: Done, context: JobContext) -> None:
    """A step that ends the run is done and the run over at the same moment."""
    with context.fenced_transaction():
        RunStep.objects.filter(pk=row.pk).update(done_at=timezone.now(), words=found.words[:600])
        if found.ending is not None:
            _end(run, context, found.ending)


def _end(run: RetrainingRun, context: JobContext, ending: Ending) -> None:
    with context.fenced_transaction():
        end_run(run=run, state=ending.state, words=ending.words, now=timezone.now())
    run.refresh_from_db()
