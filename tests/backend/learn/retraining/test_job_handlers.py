"""Whole runs, with an ML backend that works within the test: a new model takes over only because it is better."""

from __future__ import annotations

import pytest

from backend.annotate.batches.models import BatchKind
from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobPostponed, LeaseLost
from backend.core.jobs.models import Job
from backend.core.notices.models import Notice
from backend.decide.releases.models import Release
from backend.learn.models.models import Adapter, AdapterState
from backend.learn.models.selectors import adapter_in_service
from backend.learn.models.services import promote, retire, roll_back
from backend.learn.retraining.claiming import start_by_hand
from backend.learn.retraining.job_handlers import STEPS
from backend.learn.retraining.models import RetrainingRun, RunState, ScheduleKind, StepKind
from backend.learn.retraining.running import carry_out
from backend.learn.retraining.services import Plan, take_up_again
from backend.learn.retraining.steps.values import Done, Step
from backend.operate.erasure.services import erase_study
from tests.backend.learn.models.fixtures import examine, folder_of, train, work_as_ml_backend
from tests.backend.learn.models.fixtures import run as work_off
from tests.backend.learn.retraining.fixtures import context_of, lose, scheduled
from tests.backend.learn.retraining.telling_words import (
    HOPEFUL,
    PLAIN,
    TIRED,
    judged_batch,
    telling_items,
    telling_study,
)
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW, Cast

pytestmark = pytest.mark.django_db
BY_WORDS = Plan(ScheduleKind.NIGHTLY, is_on=False, learner="tfidf-logistic")


@pytest.fixture
def telling(cast: Cast) -> CastAtWork:
    """Forty items of two kinds are judged."""
    work = telling_study(cast)
    judged_batch(work, "First", telling_items(work, 40, PLAIN, TIRED), cast.amal)
    scheduled(work, BY_WORDS)
    return work


def retrained(work: CastAtWork) -> RetrainingRun:
    run = start_by_hand(study=work.study, actor=work.cast.rosa, now=NOW)
    return finished(run)


def finished(run: RetrainingRun) -> RetrainingRun:
    """Every task of the run is done as soon as it is asked for."""
    for step in (StepKind.TRAIN, StepKind.PROMOTION, None):
        if work_off(run.job).is_over:
            break
        assert step is not None, run.job.progress_note
        work_as_ml_backend(folder_of(run.job, step))
    run.refresh_from_db()
    return run


def cut_off_after(kind: StepKind) -> dict[StepKind, Step]:
    """As by kill -9 between what the step wrote and the note that it is done."""

    def cut(run: RetrainingRun, context: JobContext) -> Done:
        STEPS[kind](run, context)
        raise LeaseLost("gone")

    return {**STEPS, kind: cut}


def cut_off_before(kind: StepKind) -> dict[StepKind, Step]:
    def cut(run: RetrainingRun, context: JobContext) -> Done:
        raise LeaseLost("gone")

    return {**STEPS, kind: cut}


def test_the_loop_from_a_first_model_to_a_better_one_to_one_that_is_not(telling: CastAtWork) -> None:
    work, cast = telling, telling.cast
    first = retrained(work)
    assert first.state == RunState.PROMOTED, first.words
    assert first.words.startswith("the new model is better than always giving the most frequent answer by ")
    assert adapter_in_service(work.study) == first.adapter

    judged_batch(work, "Second", telling_items(work, 40, HOPEFUL), cast.bea)
    second = retrained(work)
    assert second.state == RunState.PROMOTED, second.words
    assert second.words.startswith("the new model is better by ")
    assert second.promotion_report is not None
    assert second.promotion_report.incumbent == first.adapter
    assert adapter_in_service(work.study) == second.adapter

    judged_batch(work, "Third", telling_items(work, 9, HOPEFUL, PLAIN, TIRED), cast.chen)
    third = retrained(work)
    assert third.state == RunState.KEPT_OUT, third.words
    assert third.words.startswith("the new model is not better: 0.0 points [0.0, 0.0]. ")
    assert third.words.endswith(" The one in service stays.")
    assert adapter_in_service(work.study) == second.adapter

    idle = retrained(work)
    assert idle.state == RunState.NOTHING_NEW
    assert (Adapter.objects.count(), Release.objects.count()) == (3, 3)
    told = Notice.objects.order_by("pk").values_list("kind", flat=True)
    assert list(told) == ["good", "good", "info", "info"]
    assert Job.objects.filter(kind="retrain", state="done").count() == 4


def test_open_batches_get_the_suggestions_of_the_new_model(telling: CastAtWork) -> None:
    telling.batch(telling.cast.bea, items=telling_items(telling, 3, PLAIN), name="Next", kind=BatchKind.MAIN)
    run = retrained(telling)
    pushes = Job.objects.filter(kind="push_prelabels", state="queued")
    assert sorted(job.arguments["batch"] for job in pushes) == sorted(
        telling.study.batches.values_list("pk", flat=True)
    )
    assert run.steps.get(kind=StepKind.PRELABEL).words.startswith(
        "Jobs of their own bring the suggestions of 2 open batches"
    )


@pytest.mark.parametrize("cut_at", list(STEPS))
def test_a_run_cut_off_after_any_step_did_its_work_leaves_one_of_each(
    telling: CastAtWork, cut_at: StepKind
) -> None:
    run = start_by_hand(study=telling.study, actor=None, now=NOW)
    for step in (StepKind.TRAIN, StepKind.PROMOTION):
        with pytest.raises((LeaseLost, JobPostponed)):
            carry_out(context_of(run), cut_off_after(cut_at))
        lose(run)
        Job.objects.filter(pk=run.job_id).update(attempts=0)
        folder = folder_of(run.job, step)
        if folder.request.exists():
            work_as_ml_backend(folder)
    ended = finished(run)
    assert ended.state == RunState.PROMOTED, ended.words
    assert (Release.objects.count(), Adapter.objects.count(), Notice.objects.count()) == (1, 1, 1)
    assert telling.study.promotion_reports.count() == telling.study.adapter_events.count() == 1


@pytest.mark.parametrize("is_noted", [False, True])
def test_what_a_researcher_undid_meanwhile_is_not_done_again(telling: CastAtWork, is_noted: bool) -> None:
    """Nor is anybody told that the model is in service."""
    run = start_by_hand(study=telling.study, actor=None, now=NOW)
    for step in (StepKind.TRAIN, StepKind.PROMOTION):
        work_off(run.job)
        work_as_ml_backend(folder_of(run.job, step))
    with pytest.raises(LeaseLost):
        steps = cut_off_before(StepKind.PRELABEL) if is_noted else cut_off_after(StepKind.PROMOTE)
        carry_out(context_of(run), steps)
    retire(adapter=Adapter.objects.get(), reason="It is rude.", actor=telling.cast.rosa, now=NOW)
    lose(run)
    ended = finished(run)
    assert ended.state == RunState.KEPT_OUT and "a researcher took it out of service" in ended.words
    assert "is in service now" not in Notice.objects.get().text
    assert adapter_in_service(telling.study) is None


def test_another_model_that_came_into_service_meanwhile_is_compared_with(telling: CastAtWork) -> None:
    retrained(telling)
    judged_batch(telling, "Second", telling_items(telling, 40, HOPEFUL), telling.cast.bea)
    run = start_by_hand(study=telling.study, actor=None, now=NOW)
    for step in (StepKind.TRAIN, StepKind.PROMOTION):
        work_off(run.job)
        work_as_ml_backend(folder_of(run.job, step))
        if step == StepKind.TRAIN:
            continue
        run.refresh_from_db()
        other = train(Release.objects.get(number=2), "tfidf-logistic", options={"strength": 1.5})
        promote(adapter=other, report=examine(other), actor=telling.cast.rosa, now=NOW)
    work_off(run.job)
    work_as_ml_backend(folder_of(run.job, StepKind.PROMOTION))
    ended = finished(run)
    assert ended.state == RunState.KEPT_OUT, ended.words
    assert ended.promotion_report is not None
    assert ended.promotion_report.incumbent == other == adapter_in_service(telling.study)


def test_a_training_that_fails_says_why_and_goes_on(telling: CastAtWork) -> None:
    run = start_by_hand(study=telling.study, actor=None, now=NOW)
    work_off(run.job)
    folder_of(run.job, StepKind.TRAIN).write_failure("The disk is full: make room.")
    assert work_off(run.job).state == "failed"
    run.refresh_from_db()
    assert run.state == RunState.FAILED
    assert "The disk is full: make room." in run.words
    take_up_again(run=run, now=NOW)
    assert finished(run).state == RunState.PROMOTED
    assert Release.objects.count() == 1


def test_what_was_rolled_back_can_win_again(telling: CastAtWork) -> None:
    """Nothing is new, but the model that learnt from it is not in service: the run says so and leaves it to people."""
    retrained(telling)
    judged_batch(telling, "Second", telling_items(telling, 40, HOPEFUL), telling.cast.bea)
    second = retrained(telling)
    roll_back(study=telling.study, actor=telling.cast.rosa, now=NOW)
    assert retrained(telling).state == RunState.NOTHING_NEW
    assert second.adapter is not None
    second.adapter.refresh_from_db()
    assert second.adapter.state == AdapterState.RETIRED


def test_a_study_goes_with_its_runs_and_notices(telling: CastAtWork) -> None:
    retrained(telling)
    Job.objects.filter(kind="push_prelabels").delete()
    erase_study(study=telling.study)
    assert not RetrainingRun.objects.exists()
    assert not Notice.objects.exists()
