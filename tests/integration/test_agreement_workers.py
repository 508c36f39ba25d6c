"""A real ML backend on both brokers: a batch is measured whatever dies or is lost on the way, and exactly once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from annotation.agreement.batch import measure_batch
from annotation.agreement.files import decode_batch_judgments
from backend.annotate.batches.models import Batch
from backend.core.jobs.models import Job
from backend.decide.agreement.inputs import inputs_of
from backend.decide.agreement.models import AgreementReport
from backend.decide.agreement.reading import read_report
from tests.backend.decide.agreement.fixtures import HASTY, ORDINARY, STEADY, judged_batch
from tests.batch_fixtures import CastAtWork
from tests.integration.instance import Instance, wait_until, wait_until_over

pytestmark = [pytest.mark.broker, pytest.mark.django_db(transaction=True)]
MEASURE = """
import sys, django
django.setup()
from django.utils import timezone
from backend.decide.agreement.services import Precision, request_measurement
from backend.annotate.batches.models import Batch
batch = Batch.objects.get(pk=sys.argv[1])
print(request_measurement(batch=batch, actor=None, now=timezone.now(), precision=Precision(int(sys.argv[2]), 1)).pk)
"""
LONG = 60_000


@pytest.fixture
def instance(broker_url: str, tmp_path: Path) -> Instance:
    return Instance(tmp_path, broker_url)


@pytest.fixture
def batch(work: CastAtWork) -> Batch:
    cast = work.cast
    return judged_batch(work, work.items, {cast.amal: STEADY, cast.bea: ORDINARY, cast.chen: HASTY})


def enqueue(instance: Instance, batch: Batch, resamples: int = 1000) -> int:
    """From a process of its own, as a web server would."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(batch.pk), str(resamples)],
        env=instance.environment(),
        check=True,
        capture_output=True,
        text=True,
        cwd=settings.ROOT,
    )
    return int(done.stdout)


@pytest.mark.once
def test_a_batch_is_measured_end_to_end(instance: Instance, batch: Batch) -> None:
    with instance.ml(), instance.worker():
        job = wait_until_over(enqueue(instance, batch))
    assert (job.state, job.error) == ("done", "")
    expected = measure_batch(decode_batch_judgments(inputs_of(batch).content), resamples=1000, seed=1)
    assert read_report(AgreementReport.objects.get()) == expected


def test_after_kill_9_in_mid_task_there_is_exactly_one_report(instance: Instance, batch: Batch) -> None:
    home = instance.folder / "ml"
    with instance.worker(), instance.beat():
        with instance.ml() as first:
            job_id = enqueue(instance, batch, LONG)
            wait_until(lambda: any(home.glob("*/job-*/tries")))
            os.killpg(first.pid, signal.SIGKILL)
        assert not AgreementReport.objects.exists()
        assert not list(home.glob("*/job-*/report.json"))
        with instance.ml():
            job = wait_until_over(job_id)
    assert (job.state, job.error) == ("done", "")
    assert AgreementReport.objects.count() == 1
    assert not list(home.glob("*/job-*"))


@pytest.mark.once
def test_a_job_waits_for_an_ml_backend_that_comes_later(tmp_path: Path, batch: Batch) -> None:
    instance = Instance(tmp_path, "filesystem://")
    with instance.worker(), instance.beat():
        job_id = enqueue(instance, batch)
        wait_until(lambda: "ML backend" in Job.objects.get(pk=job_id).progress_note)
        for message in (tmp_path / "broker").glob("*.ml.msg"):
            message.unlink()
        with instance.ml():
            assert wait_until_over(job_id).state == "done"
    assert AgreementReport.objects.count() == 1
