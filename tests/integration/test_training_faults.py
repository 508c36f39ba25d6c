"""kill -9 of the training process, the ML worker and the worker, each in its turn at random moments on each broker.

In the end there is exactly one intact adapter for each request: the one that would have come of it undisturbed.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
from itertools import cycle, islice
from pathlib import Path

import pytest
from django.db.models import Q
from pytest_django.fixtures import Settings

from backend.core.jobs.models import ACTIVE_STATES, Job, JobState
from backend.core.jobs.services import retry_job
from backend.decide.releases.models import Release
from backend.learn.models.models import Adapter, adapters_folder
from learning.adapters.folder import checked_card
from learning.tasks.folder import TaskFolder
from tests.backend.learn.models.fixtures import folder_of, release_in
from tests.cast import NOW, Cast
from tests.integration import sweep_often
from tests.integration.instance import Instance, is_alive, wait_until
from tests.integration.kills import kills
from tests.integration.test_training_workers import enqueue_many
from tests.ml_backend.tiny_backbone import make_backbone

pytestmark = [pytest.mark.broker, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
LONGEST_SECONDS, PATIENCE = 3.0, 240.0
TRAINING, ML, WORKER = "training", "ml", "worker"
VICTIMS = (TRAINING, ML, WORKER, TRAINING, TRAINING)


@pytest.fixture
def instance(broker_url: str, tmp_path: Path, settings: Settings) -> Instance:
    settings.RELEASES_DIR = tmp_path / "releases"
    settings.ADAPTERS_DIR = tmp_path / "adapters"
    settings.ML_DIR = tmp_path / "ml"
    return Instance(tmp_path, broker_url, extra={"OMP_NUM_THREADS": "1"})


class Disturbed:
    """The processes of an instance, each of which comes back as soon as it was killed."""

    def __init__(self, instance: Instance, stack: ExitStack) -> None:
        self._instance = instance
        self._stack = stack
        self._running = {name: self._started(name) for name in (ML, WORKER)}

    def _started(self, name: str) -> subprocess.Popen[bytes]:
        running: AbstractContextManager[subprocess.Popen[bytes]] = (
            self._instance.worker() if name == WORKER else self._ml()
        )
        return self._stack.enter_context(running)

    @contextmanager
    def _ml(self) -> Iterator[subprocess.Popen[bytes]]:
        """Without waiting until it is ready: messages wait for it."""
        spec = self._instance.ml_spec
        with self._instance._process(spec.command, spec.environment, "ml") as process:
            yield process

    def kill(self, name: str) -> None:
        """The process alone, not its group: what it started has to notice by itself."""
        process = self._running[name]
        process.kill()
        process.wait()
        self._running[name] = self._started(name)


def killed_trainings(folders: list[TaskFolder]) -> int:
    n_killed = 0
    for folder in folders:
        if folder.is_worked_on() and folder.pid.exists():
            with suppress(ProcessLookupError):
                os.kill(int(folder.pid.read_text()), signal.SIGKILL)
                n_killed += 1
    return n_killed


def try_failed_again() -> None:
    """As a researcher would, who reads that it stopped three times in the middle."""
    for job in Job.objects.filter(state=JobState.FAILED):
        assert "3 times in the middle" in job.error
        retry_job(job_id=job.pk, now=NOW)


@kills(few=3, many=20)
def test_random_kills_end_with_exactly_one_adapter_for_each_request(
    instance: Instance, cast: Cast, tmp_path: Path, n_kills: int
) -> None:
    release = release_in(cast.study, tmp_path / "made")
    options = {"backbone": make_backbone(tmp_path / "tiny"), "input": "alone", "epochs": 6, "batch_size": 4}
    chance = random.Random(20260301)
    seeds = iter(range(1, 100))
    jobs: list[int] = []
    with ExitStack() as stack:
        sweeping = (sys.executable, "-m", sweep_often.__name__)
        stack.enter_context(instance._process(sweeping, instance.environment(), "sweep"))
        disturbed = Disturbed(instance, stack)

        def find_one_in_training() -> None:
            if Job.objects.filter(state__in=ACTIVE_STATES).count() < 2:
                jobs.extend(enqueue_many(instance, release, [next(seeds), next(seeds)], options))
            wait_until(partial(_is_training, jobs), patience=PATIENCE)

        for victim in islice(cycle(VICTIMS), n_kills):
            find_one_in_training()
            time.sleep(chance.uniform(0.0, LONGEST_SECONDS))
            if victim == TRAINING:
                while not killed_trainings(_folders(jobs)):
                    find_one_in_training()
            else:
                disturbed.kill(victim)
            try_failed_again()
        wait_until(_all_over, patience=PATIENCE)
        assert_one_for_each(release, jobs)
        again = enqueue_many(instance, release, [1], options)
        wait_until(_all_over, patience=PATIENCE)
    assert _adapter_of(again[0]) == _adapter_of(jobs[0]), "undisturbed, the same came of it"
    assert_one_for_each(release, jobs)


def _is_training(jobs: list[int]) -> bool:
    """Or nothing is left to train, so that a kill hits idle processes."""
    try_failed_again()
    is_left = Job.objects.filter(state__in=ACTIVE_STATES).exists()
    return not is_left or any(folder.is_worked_on() for folder in _folders(jobs))


def _folders(jobs: list[int]) -> list[TaskFolder]:
    return [folder_of(job) for job in Job.objects.filter(pk__in=jobs)]


def _all_over() -> bool:
    try_failed_again()
    return not Job.objects.filter(Q(state__in=ACTIVE_STATES) | Q(state=JobState.FAILED)).exists()


def _is_gone(pid: int) -> bool:
    return not is_alive(pid)


def _adapter_of(job_id: int) -> int:
    job = Job.objects.get(pk=job_id)
    assert (job.state, job.error) == (JobState.DONE, "") and job.result
    found: int = job.result["adapter"]
    return found


def assert_one_for_each(release: Release, jobs: list[int]) -> None:
    numbers = [_adapter_of(job_id) for job_id in jobs]
    assert sorted(numbers) == sorted(Adapter.objects.values_list("number", flat=True))
    assert len(set(numbers)) == len(jobs)
    for adapter in Adapter.objects.select_related("study"):
        assert checked_card(adapter.folder).id == adapter.adapter_id
    known = set(Adapter.objects.values_list("adapter_id", flat=True))
    there = {path.name for path in adapters_folder(release.study).iterdir()}
    assert there == known | {f"{name}.measured" for name in known}
    for folder in _folders(jobs):
        assert not folder.adapter.exists() and not list(folder.path.glob("*.making"))
        wait_until(partial(_is_gone, int(folder.pid.read_text())))
