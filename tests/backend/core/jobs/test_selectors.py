"""Speed and time left come from this attempt's own progress."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from backend.core.jobs.models import Job
from backend.core.jobs.selectors import Pace, job_pace, unwoken_jobs

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def running(**columns: object) -> Job:
    job = Job(kind="probe", arguments={}, state="running", created_at=NOON, started_at=NOON)
    for name, value in columns.items():
        setattr(job, name, value)
    return job


def test_rate_and_time_left() -> None:
    job = running(progress_done=200, progress_total=1000)
    assert job_pace(job, now=NOON + timedelta(seconds=10)) == Pace(20.0, timedelta(seconds=40))


def test_a_resumed_job_is_not_credited_with_earlier_work() -> None:
    job = running(progress_start=900, progress_done=910, progress_total=1000)
    assert job_pace(job, now=NOON + timedelta(seconds=10)) == Pace(1.0, timedelta(seconds=90))


@pytest.mark.parametrize("done", [1000, 1001])
def test_no_time_is_left_where_all_is_counted(done: int) -> None:
    """As while a model is measured after its last step."""
    job = running(progress_done=done, progress_total=1000)
    assert job_pace(job, now=NOON + timedelta(seconds=10)).time_left is None


def test_without_a_total_there_is_a_rate_but_no_time_left() -> None:
    assert job_pace(running(progress_done=50), now=NOON + timedelta(seconds=10)) == Pace(5.0, None)


@pytest.mark.parametrize("columns", [{}, {"state": "queued", "progress_done": 5}, {"started_at": None}])
def test_nothing_done_yet_is_no_pace(columns: dict[str, object]) -> None:
    assert job_pace(running(**columns), now=NOON + timedelta(seconds=10)) == Pace(None, None)


def test_a_finished_job_keeps_its_rate() -> None:
    job = running(state="done", progress_done=90, finished_at=NOON + timedelta(seconds=30))
    assert job_pace(job, now=NOON + timedelta(days=1)) == Pace(3.0, None)


@pytest.mark.django_db
def test_lists_hold_the_right_jobs() -> None:
    queued = Job.objects.create(kind="probe", arguments={}, created_at=NOON)
    fresh = Job.objects.create(kind="probe", arguments={}, created_at=NOON, woken_at=NOON)
    assert list(unwoken_jobs(NOON - timedelta(seconds=1))) == [queued]
    assert list(unwoken_jobs(NOON)) == [queued, fresh]
