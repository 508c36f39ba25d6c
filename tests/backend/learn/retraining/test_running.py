"""A run goes through its steps once each, whatever stops it in between, and tells how it ended."""

from __future__ import annotations

import pytest
from django.utils import timezone

from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobCancelled, JobPostponed, LeaseLost
from backend.core.jobs.leases import fail_job, hand_back_job
from backend.core.jobs.models import Job, JobState
from backend.core.jobs.services import request_cancel
from backend.core.jobs.values import Claim
from backend.core.notices.models import Notice
from backend.learn.retraining.claiming import start_by_hand
from backend.learn.retraining.ending import close_abandoned_runs
from backend.learn.retraining.errors import AlreadyRetraining, RetrainingError
from backend.learn.retraining.models import RetrainingRun, RunState, StepKind
from backend.learn.retraining.running import carry_out
from backend.learn.retraining.services import stop_run, take_up_again
from backend.learn.retraining.steps.values import Done, Ending, Step
from tests.backend.learn.retraining.fixtures import context_of, lose
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(work: CastAtWork) -> RetrainingRun:
    return start_by_hand(study=work.study, actor=work.cast.rosa, now=NOW)


class Trail:
    """Steps that write down that they were taken; one of them may stumble, once."""

    def __init__(self, stumble_at: StepKind | None = None, problem: Exception | None = None) -> None:
        self.taken: list[StepKind] = []
        self.stumble_at, self.problem = stumble_at, problem

    def steps(self) -> dict[StepKind, Step]:
        return {kind: self._step(kind) for kind in StepKind}

    def _step(self, kind: StepKind) -> Step:
        def take(run: RetrainingRun, context: JobContext) -> Done:
            self.taken.append(kind)
            if kind == self.stumble_at and self.problem is not None:
                problem, self.problem = self.problem, None
                raise problem
            is_last = kind == StepKind.PRELABEL
            return Done(f"{kind} done.", Ending(RunState.PROMOTED, "it is better.") if is_last else None)

        return take


def fenced(run: RetrainingRun) -> Claim:
    job = Job.objects.get(pk=run.job_id)
    return Claim(job.pk, job.fence, job.kind, job.study_id, job.arguments)


def test_each_step_is_taken_once_and_the_end_is_told(run: RetrainingRun) -> None:
    trail = Trail()
    ended = carry_out(context_of(run), trail.steps())
    assert trail.taken == list(StepKind)
    assert (ended.state, ended.words) == (RunState.PROMOTED, "it is better.")
    assert [step.words for step in ended.steps.all()] == [f"{kind} done." for kind in StepKind]
    notice = Notice.objects.get()
    assert (notice.text, notice.kind) == ("Retraining 1: it is better.", "good")
    assert notice.url == "/studies/kind-words/retraining/1"
    assert run.study.events.filter(summary="Retraining 1: it is better.").count() == 1


@pytest.mark.parametrize("kind", list(StepKind))
def test_a_run_that_was_cut_off_goes_on_at_its_step(run: RetrainingRun, kind: StepKind) -> None:
    """The same as after kill -9: the worker says nothing more."""
    trail = Trail(kind, LeaseLost("gone"))
    with pytest.raises(LeaseLost):
        carry_out(context_of(run), trail.steps())
    lose(run)
    assert carry_out(context_of(run), trail.steps()).state == RunState.PROMOTED
    order = list(StepKind)
    here = order.index(kind)
    assert trail.taken == [*order[: here + 1], *order[here:]]
    assert Notice.objects.count() == 1


def test_a_job_that_runs_again_after_the_end_does_nothing(run: RetrainingRun) -> None:
    trail = Trail()
    carry_out(context_of(run), trail.steps())
    lose(run)
    assert carry_out(context_of(run), trail.steps()).state == RunState.PROMOTED
    assert trail.taken == list(StepKind)
    assert Notice.objects.count() == 1


def test_a_step_can_wait_for_its_turn(run: RetrainingRun) -> None:
    trail = Trail(StepKind.TRAIN, JobPostponed("busy"))
    with pytest.raises(JobPostponed):
        carry_out(context_of(run), trail.steps())
    run.refresh_from_db()
    assert run.state == RunState.RUNNING
    assert not Notice.objects.exists()
    hand_back_job(fenced(run), now=timezone.now())
    assert carry_out(context_of(run), trail.steps()).state == RunState.PROMOTED


def test_a_failure_is_told_and_can_be_taken_up_again(run: RetrainingRun) -> None:
    trail = Trail(StepKind.TRAIN, RetrainingError("The disk is full: make room."))
    with pytest.raises(RetrainingError):
        carry_out(context_of(run), trail.steps())
    run.refresh_from_db()
    assert run.state == RunState.FAILED
    assert "The disk is full: make room." in run.words
    assert Notice.objects.get().kind == "error"
    fail_job(fenced(run), error="The disk is full", progress=None, now=timezone.now())
    take_up_again(run=run, now=timezone.now())
    ended = carry_out(context_of(run), trail.steps())
    assert (ended.state, ended.number) == (RunState.PROMOTED, 1)
    assert trail.taken.count(StepKind.FREEZE) == 1
    assert Notice.objects.count() == 2


def test_a_failed_run_is_not_taken_up_beside_another(run: RetrainingRun, work: CastAtWork) -> None:
    with pytest.raises(RetrainingError):
        carry_out(context_of(run), Trail(StepKind.TRAIN, RetrainingError("No.")).steps())
    fail_job(fenced(run), error="No.", progress=None, now=timezone.now())
    start_by_hand(study=work.study, actor=None, now=NOW)
    with pytest.raises(AlreadyRetraining, match="Retraining 2 is under way"):
        take_up_again(run=run, now=timezone.now())


def test_a_run_that_is_stopped_stops_at_once_and_stays_out(run: RetrainingRun) -> None:
    context = context_of(run)
    trail = Trail()
    steps = trail.steps()

    def train(run: RetrainingRun, context: JobContext) -> Done:
        stop_run(run=run, now=timezone.now())
        context.report(done=1)
        raise AssertionError("the report stops it")

    with pytest.raises(JobCancelled):
        carry_out(context, {**steps, StepKind.TRAIN: train})
    run.refresh_from_db()
    assert run.state == RunState.CANCELLED
    assert trail.taken == [StepKind.FREEZE]
    assert Notice.objects.get().kind == "warn"


def test_a_run_that_waits_for_a_worker_is_over_as_soon_as_it_is_stopped(run: RetrainingRun) -> None:
    stop_run(run=run, now=timezone.now())
    run.refresh_from_db()
    assert (run.state, run.job.state) == (RunState.CANCELLED, JobState.CANCELLED)
    take_up_again(run=run, now=timezone.now())
    assert carry_out(context_of(run), Trail().steps()).state == RunState.PROMOTED


def test_a_run_whose_worker_died_too_often_is_closed_and_told(run: RetrainingRun) -> None:
    for _ in range(3):
        context_of(run)
        lose(run)
    assert [closed.number for closed in close_abandoned_runs(now=timezone.now())] == [1]
    run.refresh_from_db()
    assert run.state == RunState.FAILED
    assert "stopped 3 times" in Notice.objects.get().text
    assert close_abandoned_runs(now=timezone.now()) == []


def test_a_job_cancelled_elsewhere_ends_its_run_too(run: RetrainingRun) -> None:
    request_cancel(job_id=run.job_id, now=timezone.now())
    assert [closed.state for closed in close_abandoned_runs(now=timezone.now())] == [RunState.RUNNING]
    run.refresh_from_db()
    assert run.state == RunState.CANCELLED
