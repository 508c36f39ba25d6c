"""One job from claim to end, in this process: what the handler does decides what the row says."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.utils import timezone
from pytest_django import Settings

from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import LeaseLost
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.leases import claim_job, requeue_expired
from backend.core.jobs.models import Job
from backend.core.jobs.runner import run_job
from backend.core.jobs.services import request_cancel
from backend.core.jobs.values import Json, JsonObject
from backend.core.worker import WORKER_IS_STOPPING

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PRIVATE = "I have not slept since my mother died"
pytestmark = pytest.mark.django_db


@job_handler("runner_adds")
def adds(context: JobContext, arguments: JsonObject) -> Json:
    context.report(2, 2, "numbers", "added")
    return {"sum": 5, "job": context.job_id}


@job_handler("runner_breaks")
def breaks(context: JobContext, arguments: JsonObject) -> Json:
    context.report(1, 2)
    raise ValueError(PRIVATE)


@job_handler("runner_returns_no_json")
def returns_no_json(context: JobContext, arguments: JsonObject) -> Json:
    return {"when": NOON}  # type: ignore[dict-item]


@job_handler("runner_is_cancelled")
def is_cancelled(context: JobContext, arguments: JsonObject) -> Json:
    request_cancel(job_id=context.job_id, now=NOON)
    context.report(1)
    return {"never": "reached"}


@job_handler("runner_loses_its_lease")
def loses_its_lease(context: JobContext, arguments: JsonObject) -> Json:
    requeue_expired(now=timezone.now() + timedelta(days=1))
    assert claim_job(job_id=context.job_id, now=timezone.now()) is not None
    with pytest.raises(LeaseLost), context.fenced_transaction():
        Job.objects.filter(pk=context.job_id).update(kind="written by a late worker")
    return {"by": "a late worker"}


@job_handler("runner_is_stopped")
def is_stopped(context: JobContext, arguments: JsonObject) -> Json:
    WORKER_IS_STOPPING.set()
    context.report(1)
    return {"never": "reached"}


@pytest.fixture(autouse=True)
def worker_stays() -> Iterator[None]:
    yield
    WORKER_IS_STOPPING.clear()


def ran(kind: str) -> Job:
    job = Job.objects.create(kind=kind, arguments={}, created_at=NOON)
    run_job(job_id=job.pk, clock=timezone.now)
    job.refresh_from_db()
    return job


def test_a_job_that_ends_well_keeps_its_result_and_last_progress() -> None:
    job = ran("runner_adds")
    assert (job.state, job.result) == ("done", {"sum": 5, "job": job.pk})
    assert (job.progress_done, job.progress_unit, job.progress_note) == (2, "numbers", "added")


def test_a_failure_says_what_but_not_what_people_wrote(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        job = ran("runner_breaks")
    assert job.state == "failed"
    assert job.error.startswith("ValueError: an unexpected error in breaks, line ")
    assert "in breaks" in caplog.text
    assert PRIVATE not in job.error + caplog.text


def test_a_result_that_is_no_json_fails_the_job() -> None:
    assert ran("runner_returns_no_json").error.startswith("TypeError")


def test_a_kind_that_no_longer_has_a_handler_fails_with_that_reason() -> None:
    assert ran("knit").error.startswith("UnknownJobKind: No handler does jobs of kind 'knit'")


def test_cancelling_stops_the_handler_at_its_next_report() -> None:
    job = ran("runner_is_cancelled")
    assert (job.state, job.result, job.progress_done) == ("cancelled", None, 1)


def test_a_worker_that_lost_its_lease_writes_neither_result_nor_rows() -> None:
    job = ran("runner_loses_its_lease")
    assert (job.state, job.fence, job.result, job.kind) == ("running", 2, None, "runner_loses_its_lease")


def test_a_stopping_worker_hands_its_job_back() -> None:
    job = ran("runner_is_stopped")
    assert (job.state, job.attempts, job.fence) == ("queued", 0, 1)


def test_a_message_that_comes_twice_does_nothing() -> None:
    job = ran("runner_adds")
    run_job(job_id=job.pk, clock=timezone.now)
    assert Job.objects.get(pk=job.pk).fence == 1


@pytest.mark.django_db(transaction=True)
def test_a_silent_handler_is_kept_alive_by_the_pulse(settings: Settings) -> None:
    settings.JOB_LEASE = timedelta(seconds=2)
    job = Job.objects.create(kind="runner_is_silent", arguments={}, created_at=NOON)
    run_job(job_id=job.pk, clock=timezone.now)
    job.refresh_from_db()
    assert (job.state, job.result) == ("done", {"requeued": []})


@job_handler("runner_is_silent")
def is_silent(context: JobContext, arguments: JsonObject) -> Json:
    time.sleep(settings.JOB_LEASE.total_seconds() * 2)
    return {"requeued": requeue_expired(now=timezone.now())}
