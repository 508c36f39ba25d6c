"""People's side of jobs: what enqueueing, cancelling, retrying and waking leave in rows and in the broker."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from pytest_django import DjangoCaptureOnCommitCallbacks

from backend.core.jobs.errors import JobAlreadyOver, JobNotRetryable, UnknownJobKind
from backend.core.jobs.models import Job
from backend.core.jobs.services import enqueue_job, request_cancel, retry_job, wake_queued_jobs
from tests.integration import probe_handlers

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
pytestmark = pytest.mark.django_db


@pytest.fixture
def messages() -> Path:
    """The embedded broker's folder, empty at the start of the test."""
    if not settings.BROKER_URL.startswith("filesystem:"):
        pytest.fail("These tests read the embedded broker's folder: run them without BROKER_URL.")
    for message in settings.BROKER_DIR.glob("*.msg"):
        message.unlink()
    return Path(settings.BROKER_DIR)


def enqueue(**arguments: str) -> Job:
    return enqueue_job(kind=probe_handlers.COUNT, arguments=arguments, study=None, created_by=None, now=NOON)


def test_a_job_becomes_a_row_and_after_the_commit_a_message(
    messages: Path, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        job = enqueue()
        assert list(messages.glob("*.msg")) == []
    (message,) = messages.glob("*.msg")
    assert json.loads(message.read_text())["headers"]["task"] == "jobs.run"
    assert (job.state, job.fence, job.created_at) == ("queued", 0, NOON)


def test_a_message_holds_the_id_and_no_argument(
    messages: Path, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        job = enqueue(path="a-private-name")
    (message,) = messages.glob("*.msg")
    headers = json.loads(message.read_text())["headers"]
    assert headers["argsrepr"] == f"[{job.pk}]"
    assert "a-private-name" not in message.read_text()


def test_a_kind_without_a_handler_is_refused_before_anything_is_written() -> None:
    with pytest.raises(UnknownJobKind, match=r"'knit'; there are: .*probe_count"):
        enqueue_job(kind="knit", arguments={}, study=None, created_by=None, now=NOON)
    assert not Job.objects.exists()


def test_a_full_or_unwritable_broker_leaves_the_row_for_the_sweep(
    messages: Path,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    caplog: pytest.LogCaptureFixture,
) -> None:
    elsewhere = messages.with_name("elsewhere")
    messages.rename(elsewhere)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            job = enqueue()
    finally:
        elsewhere.rename(messages)
    job.refresh_from_db()
    assert (job.state, job.woken_at) == ("queued", None)
    assert "no worker could be told" in caplog.text
    assert wake_queued_jobs(now=NOON) == [job.pk]
    assert len(list(messages.glob("*.msg"))) == 1


def test_a_queued_job_whose_message_went_missing_is_woken_again_but_not_at_once(messages: Path) -> None:
    job = enqueue()
    assert wake_queued_jobs(now=NOON + timedelta(seconds=29)) == []
    assert wake_queued_jobs(now=NOON + timedelta(seconds=30)) == [job.pk]
    assert wake_queued_jobs(now=NOON + timedelta(seconds=31)) == []


def test_a_queued_job_is_cancelled_at_once() -> None:
    job = enqueue()
    request_cancel(job_id=job.pk, now=NOON)
    job.refresh_from_db()
    assert (job.state, job.finished_at) == ("cancelled", NOON)
    with pytest.raises(JobAlreadyOver):
        request_cancel(job_id=job.pk, now=NOON)


def test_a_cancelled_job_can_be_tried_again(
    messages: Path, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    job = enqueue()
    with pytest.raises(JobNotRetryable):
        retry_job(job_id=job.pk, now=NOON)
    request_cancel(job_id=job.pk, now=NOON)
    with django_capture_on_commit_callbacks(execute=True):
        retry_job(job_id=job.pk, now=NOON)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.cancel_requested, job.finished_at) == ("queued", 0, False, None)
    assert len(list(messages.glob("*.msg"))) == 1
