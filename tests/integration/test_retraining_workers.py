"""Real beats, workers and ML backend: an occasion starts one run, which ends once whatever is killed on the way."""

from __future__ import annotations

import os
import random
import signal
import time
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from backend.core.jobs.models import OVER_STATES, Job
from backend.core.ml_tasks.folders import task_folder
from backend.core.notices.models import Notice
from backend.decide.releases.models import Release
from backend.learn.models.models import Adapter, PromotionReport
from backend.learn.models.selectors import adapter_in_service
from backend.learn.retraining.models import (
    RetrainingRun,
    RetrainingSchedule,
    RunState,
    ScheduleKind,
    StepKind,
)
from backend.learn.retraining.services import Plan, change_schedule, stop_run
from tests.backend.learn.retraining.telling_words import (
    PLAIN,
    TIRED,
    judged_batch,
    telling_items,
    telling_study,
)
from tests.batch_fixtures import CastAtWork
from tests.cast import Cast
from tests.integration.instance import Instance, is_alive, wait_until, wait_until_over
from tests.integration.kills import kills

pytestmark = [pytest.mark.broker, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
# Beat, a worker, then two processes of the ML backend, on a machine that others use too
PATIENCE = 180.0
BEATS = ("beat", "second-beat")
LONGEST_SECONDS = 6.0


@pytest.fixture
def instance(broker_url: str, tmp_path: Path, settings: Settings) -> Instance:
    settings.RELEASES_DIR = tmp_path / "releases"
    settings.ADAPTERS_DIR = tmp_path / "adapters"
    settings.ML_DIR = tmp_path / "ml"
    return Instance(tmp_path, broker_url)


@pytest.fixture
def work(cast: Cast, instance: Instance) -> CastAtWork:
    """Forty judged items, and a night that was missed."""
    work = telling_study(cast)
    judged_batch(work, "First", telling_items(work, 40, PLAIN, TIRED), cast.amal)
    plan = Plan(ScheduleKind.NIGHTLY, hour=timezone.now().hour, learner="tfidf-logistic")
    change_schedule(study=work.study, plan=plan, actor=cast.rosa, now=timezone.now())
    yesterday = timezone.now() - timedelta(days=1)
    RetrainingSchedule.objects.update(after=yesterday)
    return work


def is_over() -> bool:
    return Job.objects.filter(kind="retrain", state__in=OVER_STATES).exists()


def one_of_each(work: CastAtWork) -> None:
    run = RetrainingRun.objects.get()
    assert (run.state, run.job.state) == (RunState.PROMOTED, "done"), run.words
    assert (Release.objects.count(), Adapter.objects.count(), PromotionReport.objects.count()) == (1, 1, 1)
    assert Job.objects.filter(kind="retrain").count() == Notice.objects.count() == 1
    assert adapter_in_service(work.study) == run.adapter


def test_two_beats_and_two_workers_start_a_missed_night_once(instance: Instance, work: CastAtWork) -> None:
    with ExitStack() as processes:
        for name in BEATS:
            processes.enter_context(instance.beat(name))
        for process in (instance.ml(), instance.worker(), instance.worker()):
            processes.enter_context(process)
        wait_until(is_over, patience=PATIENCE)
        for name in BEATS:
            wait_for_questions(instance.folder / f"{name}.log", "Sending due task")
        wait_for_questions(instance.folder / "worker.log", "succeeded")
    one_of_each(work)


def wait_for_questions(log: Path, word: str) -> None:
    """Until two more were asked, or answered: whether there is anything to retrain."""
    before = _n_questions(log, word)
    wait_until(lambda: _n_questions(log, word) >= before + 2)


def _n_questions(log: Path, word: str) -> int:
    return sum(word in line and "retraining.catch_up" in line for line in log.read_text().splitlines())


@kills(few=3, many=5)
def test_random_kills_of_workers_end_in_one_model_in_service(
    instance: Instance, work: CastAtWork, n_kills: int
) -> None:
    chance = random.Random(20260301)
    with instance.beat(), instance.ml():
        for _ in range(n_kills):
            with instance.worker() as worker:
                wait_until(lambda: RetrainingRun.objects.exists(), patience=PATIENCE)
                time.sleep(chance.uniform(0, LONGEST_SECONDS))
                os.killpg(worker.pid, signal.SIGKILL)
            # A death is no fault of the job here: it would be given up after three
            Job.objects.filter(kind="retrain", attempts__gte=2).update(attempts=1)
        with instance.worker():
            wait_until(is_over, patience=PATIENCE)
    one_of_each(work)


@pytest.mark.once
def test_stopping_ends_the_run_and_its_process(instance: Instance, work: CastAtWork) -> None:
    with instance.beat(), instance.ml(), instance.worker():
        wait_until(lambda: any(instance.folder.glob("ml/*/job-*-train/pid")), patience=PATIENCE)
        run = RetrainingRun.objects.get()
        pid = int(task_folder(work.study, run.job_id, StepKind.TRAIN).pid.read_text())
        stop_run(run=run, now=timezone.now())
        wait_until_over(run.job_id)
        wait_until(lambda: not is_alive(pid))
    run.refresh_from_db()
    assert (run.state, run.job.state) == (RunState.CANCELLED, "cancelled")
    assert adapter_in_service(work.study) is None
    assert Notice.objects.get().kind == "warn"
