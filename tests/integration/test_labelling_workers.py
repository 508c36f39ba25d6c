"""Real workers and real ML backends: a corpus is labelled, paused and resumed, and a dead ML worker is replaced."""

from __future__ import annotations

import os
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django.fixtures import Settings

from backend.core.jobs.models import ACTIVE_STATES, Job
from backend.publish.labelling.models import LabellingState
from backend.publish.labelling.places import staged_texts
from backend.publish.labelling.selectors import current_state, run_numbered
from backend.publish.labelling.services import cancel_run, pause_run
from tests.backend.publish.labelling.fixtures import assert_whole
from tests.cast import NOW, Cast
from tests.integration.instance import Instance, is_alive, wait_until
from tests.integration.labelling_instance import (
    driver_of,
    folder_of_run,
    label_corpus,
    labelling_instance,
    n_written,
    prepare,
    workers_of,
)

pytestmark = [pytest.mark.broker, pytest.mark.once, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
MODEL = ("--adapter", "1")
N_POSTS = 500


@pytest.fixture
def instance(broker_url: str, tmp_path: Path, settings: Settings) -> Instance:
    return labelling_instance(tmp_path, settings, broker_url, processes=1)


def test_a_run_is_paused_and_resumed_and_another_ml_worker_takes_over(
    instance: Instance, cast: Cast, tmp_path: Path, settings: Settings
) -> None:
    prepare(cast.study, tmp_path, settings, N_POSTS)
    with ExitStack() as running:
        first = running.enter_context(instance.ml())
        for each in (instance.worker(), instance.beat()):
            running.enter_context(each)
        label_corpus(instance, cast.study, *MODEL, "--price", "0.5")
        run, folder = run_numbered(cast.study, 1), folder_of_run(cast.study, 1)
        wait_until(lambda: n_written(run) > 3)
        (driver,), (worker,) = driver_of(folder), workers_of(folder)
        os.kill(first.pid, signal.SIGKILL)
        second = instance.ml_spec
        running.enter_context(instance._process(second.command, second.environment, "ml-2"))
        wait_until(lambda: not is_alive(driver) and not is_alive(worker))
        before = n_written(run)
        wait_until(lambda: bool(workers_of(folder)) and n_written(run) > before, patience=120)
        pids = [*driver_of(folder), *workers_of(folder)]
        pause_run(run=run, actor=cast.rosa, now=NOW)
        wait_until(lambda: run_numbered(cast.study, 1).job is None)
        wait_until(lambda: not any(is_alive(pid) for pid in pids))
        wait_until(lambda: not folder.is_worked_on())
        paused = run_numbered(cast.study, 1)
        assert current_state(paused) == LabellingState.PAUSED and before < n_written(run) < paused.n_shards
        told = label_corpus(instance, cast.study, "--resume", "1", "--wait", "300")
        wait_until(lambda: not Job.objects.filter(state__in=ACTIVE_STATES).exists())
    done = run_numbered(cast.study, 1)
    assert_whole(done)
    assert (done.n_posts, done.n_replies) == (N_POSTS, 2 * N_POSTS)
    assert "500 posts and 1,000 replies are labelled" in told and "A thousand texts cost" in told


def test_stopping_ends_the_processes_and_removes_the_texts(
    instance: Instance, cast: Cast, tmp_path: Path, settings: Settings
) -> None:
    prepare(cast.study, tmp_path, settings, 500)
    with instance.ml(), instance.worker(), instance.beat():
        label_corpus(instance, cast.study, *MODEL)
        run, folder = run_numbered(cast.study, 1), folder_of_run(cast.study, 1)
        wait_until(lambda: n_written(run) > 3)
        pids = [*driver_of(folder), *workers_of(folder)]
        cancel_run(run=run, actor=cast.rosa, now=NOW)
        wait_until(lambda: run_numbered(cast.study, 1).job.is_over)  # type: ignore[union-attr]
        assert pids
        wait_until(lambda: not any(is_alive(pid) for pid in pids))
    assert current_state(run_numbered(cast.study, 1)) == LabellingState.CANCELLED
    assert not staged_texts(run).folder.exists() and n_written(run) > 3


def test_the_command_refuses_in_words(cast: Cast) -> None:
    from django.core.management import CommandError

    with pytest.raises(CommandError, match="There is no study 'nowhere'"):
        call_command("label_corpus", "nowhere")
    with pytest.raises(CommandError, match="Name the corpus"):
        call_command("label_corpus", cast.study.slug)
    with pytest.raises(CommandError, match="no labelling run 7"):
        call_command("label_corpus", cast.study.slug, "--pause", "7")
