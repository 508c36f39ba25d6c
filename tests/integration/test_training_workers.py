"""Real workers and a real ML backend: a training ends as one adapter, and cancelling stops it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from pytest_django.fixtures import Settings

from backend.core.jobs.models import Job
from backend.core.jobs.services import request_cancel
from backend.decide.releases.models import Release
from backend.learn.models.models import Adapter
from learning.adapters.folder import checked_card
from tests.backend.learn.models.fixtures import folder_of, release_in
from tests.cast import NOW, Cast
from tests.integration.instance import Instance, is_alive, wait_until, wait_until_over
from tests.ml_backend.tiny_backbone import make_backbone

pytestmark = [pytest.mark.broker, pytest.mark.once, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
TRAIN = """
import sys, json, django
django.setup()
from django.utils import timezone
from backend.learn.models.queue import enqueue_training
from backend.learn.models.requests import TrainRequest
from backend.decide.releases.models import Release
release = Release.objects.get(pk=sys.argv[1])
for asked in json.loads(sys.argv[2]):
    request = TrainRequest.model_validate(asked)
    job = enqueue_training(study=release.study, release=release, request=request, actor=None, now=timezone.now())
    print(job.pk)
"""


@pytest.fixture
def instance(broker_url: str, tmp_path: Path, settings: Settings) -> Instance:
    settings.RELEASES_DIR = tmp_path / "releases"
    settings.ADAPTERS_DIR = tmp_path / "adapters"
    settings.ML_DIR = tmp_path / "ml"
    return Instance(tmp_path, broker_url)


@pytest.fixture
def release(instance: Instance, cast: Cast, tmp_path: Path) -> Release:
    return release_in(cast.study, tmp_path / "made")


def enqueue(instance: Instance, release: Release) -> int:
    asked = {"release": release.number, "learner": "majority"}
    return _enqueued(instance, release, [asked])[0]


def enqueue_many(
    instance: Instance, release: Release, seeds: list[int], options: dict[str, Any]
) -> list[int]:
    """Encoders on a tiny backbone, one for each seed."""
    common = {"release": release.number, "learner": "encoder-lora", "options": options}
    return _enqueued(instance, release, [{**common, "seed": seed} for seed in seeds])


def _enqueued(instance: Instance, release: Release, asked: list[dict[str, Any]]) -> list[int]:
    """From a process of its own, as a web server would."""
    done = subprocess.run(
        [sys.executable, "-c", TRAIN, str(release.pk), json.dumps(asked)],
        env=instance.environment(),
        check=True,
        capture_output=True,
        text=True,
        cwd=settings.ROOT,
    )
    return [int(word) for word in done.stdout.split()]


def test_a_training_ends_as_an_adapter(instance: Instance, release: Release) -> None:
    with instance.ml(), instance.worker(), instance.beat():
        job = wait_until_over(enqueue(instance, release))
    assert (job.state, job.error) == ("done", "")
    adapter = Adapter.objects.get()
    assert checked_card(adapter.folder).id == adapter.adapter_id


def test_cancelling_ends_the_process(instance: Instance, release: Release, tmp_path: Path) -> None:
    """One that would go on for longer than anybody waits."""
    options = {"backbone": make_backbone(tmp_path / "tiny"), "input": "alone", "epochs": 100, "patience": 100}
    with instance.ml(), instance.worker(), instance.beat():
        (job_id,) = enqueue_many(instance, release, [1], options)
        folder = folder_of(Job.objects.get(pk=job_id))
        wait_until(folder.tries.path.exists)
        pid = int(folder.pid.read_text())
        assert is_alive(pid)
        request_cancel(job_id=job_id, now=NOW)
        job = wait_until_over(job_id)
        wait_until(lambda: not is_alive(pid))
    assert job.state == "cancelled"
    assert not Adapter.objects.exists()
    assert not folder.adapter.exists()
