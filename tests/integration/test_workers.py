"""Real workers on both brokers: jobs survive kill -9, a stop, a cancelled wish and a broker that is away."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest
from django.utils import timezone

from backend.core.jobs.models import Job
from backend.core.jobs.services import request_cancel
from tests.integration import probe_handlers
from tests.integration.instance import Instance, wait_until, wait_until_over
from tests.servers import free_port

pytestmark = [pytest.mark.broker, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def instance(broker_url: str, tmp_path: Path) -> Instance:
    return Instance(tmp_path, broker_url)


def test_a_job_runs_end_to_end(instance: Instance) -> None:
    with instance.worker():
        job = wait_until_over(instance.enqueue_count(steps=3))
    assert (job.state, job.result, job.attempts) == ("done", {"steps": 3}, 1)
    assert instance.lines() == ["begin", "end"]


def test_after_kill_9_the_job_runs_again_and_ends_exactly_once(instance: Instance) -> None:
    with instance.held(), instance.worker() as first:
        job_id = instance.enqueue_count(steps=3)
        wait_until(lambda: Job.objects.get(pk=job_id).progress_done >= 3)
        os.killpg(first.pid, signal.SIGKILL)
    with instance.beat(), instance.worker():
        job = wait_until_over(job_id)
    assert (job.state, job.attempts, job.fence) == ("done", 2, 2)
    assert instance.lines() == ["begin", "begin", "end"]


def test_a_worker_told_to_stop_hands_its_job_back_at_once(instance: Instance) -> None:
    with instance.held(), instance.worker() as first:
        job_id = instance.enqueue_count(steps=3)
        wait_until(lambda: Job.objects.get(pk=job_id).progress_done >= 3)
        os.killpg(first.pid, signal.SIGTERM)
        first.wait(30)
    job = Job.objects.get(pk=job_id)
    assert (job.state, job.attempts) == ("queued", 0)
    with instance.worker():
        wait_until(lambda: Job.objects.get(pk=job_id).fence == 2)


def test_cancelling_really_stops_the_work(instance: Instance) -> None:
    with instance.held(), instance.worker():
        job_id = instance.enqueue_count(steps=3)
        wait_until(lambda: Job.objects.get(pk=job_id).progress_done >= 3)
        request_cancel(job_id=job_id, now=timezone.now())
        job = wait_until_over(job_id)
    assert job.state == "cancelled"
    assert instance.lines() == ["begin"]


@pytest.mark.once
def test_a_job_enqueued_while_the_broker_was_away_still_runs(tmp_path: Path, redis_url: str) -> None:
    begun = time.monotonic()
    job_id = Instance(tmp_path, f"redis://127.0.0.1:{free_port()}/0").enqueue_count(steps=2)
    assert time.monotonic() - begun < 60
    assert Job.objects.get(pk=job_id).woken_at is None
    with Instance(tmp_path, redis_url).worker():
        assert wait_until_over(job_id).state == "done"


@pytest.mark.once
def test_the_schedule_finds_a_job_that_no_message_woke(tmp_path: Path) -> None:
    instance = Instance(tmp_path, "filesystem://")
    with instance.worker():
        wait_until_over(instance.enqueue_count(steps=1))  # the sweep at the worker's start is over, too
        forgotten = Job.objects.create(
            kind=probe_handlers.COUNT,
            arguments={"journal": str(instance.journal), "steps": 1},
            created_at=timezone.now(),
        )
        with instance.beat():
            assert wait_until_over(forgotten.pk).state == "done"
