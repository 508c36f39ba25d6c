"""Whole runs, with an ML backend that works within the test."""

from __future__ import annotations

import pytest

from backend.adapters.models import Adapter
from backend.jobs.models import Job
from backend.retraining.claiming import start_by_hand
from backend.retraining.models import RetrainingRun, RunState, ScheduleKind, StepKind
from backend.retraining.services import Plan
from tests.backend.adapters.scene import answer_as_ml_backend, folder_of
from tests.backend.adapters.scene import run as work_off
from tests.backend.releases.scene import judged_study
from tests.backend.retraining.scene import scheduled
from tests.cast import NOW
from tests.given_work import CastAtWork

pytestmark = pytest.mark.django_db
BY_HAND = Plan(ScheduleKind.NIGHTLY, is_on=False, learner="majority")


def started(work: CastAtWork, plan: Plan = BY_HAND) -> RetrainingRun:
    scheduled(work, plan)
    return start_by_hand(study=work.study, actor=work.cast.rosa, now=NOW)


def finished(run: RetrainingRun) -> RetrainingRun:
    """Has every order of the run answered."""
    for step in (StepKind.TRAIN, None):
        if work_off(run.job).is_over:
            break
        assert step is not None
        answer_as_ml_backend(folder_of(run.job, step))
    run.refresh_from_db()
    return run


def test_a_run_leaves_a_release_and_an_adapter_that_learnt_from_it(work: CastAtWork) -> None:
    judged_study(work)
    run = finished(started(work))
    assert (run.job.state, run.job.error) == ("done", "")
    adapter = Adapter.objects.get()
    assert (run.adapter, adapter.release, adapter.learner) == (adapter, run.release, "majority")
    assert Job.objects.count() == 1


def test_a_training_that_fails_says_why_and_can_go_on(work: CastAtWork) -> None:
    judged_study(work)
    run = started(work)
    work_off(run.job)
    folder_of(run.job, StepKind.TRAIN).write_failure("The disk is full: make room.")
    assert work_off(run.job).state == "failed"
    run.refresh_from_db()
    assert run.state == RunState.FAILED
    assert "The disk is full: make room." in run.words
