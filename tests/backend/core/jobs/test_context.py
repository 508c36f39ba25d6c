"""A handler may report as often as it likes: writes are few, and a stop is met at the next report."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobCancelled, LeaseLost
from backend.core.jobs.leases import claim_job, hand_back_job
from backend.core.jobs.models import Job
from backend.core.jobs.pulse import Pulse
from backend.core.jobs.services import request_cancel
from backend.core.jobs.values import Claim

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
pytestmark = pytest.mark.django_db


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def claim() -> Claim:
    job = Job.objects.create(kind="probe", arguments={}, created_at=NOON)
    claim = claim_job(job_id=job.pk, now=NOON)
    assert claim is not None
    return claim


@pytest.fixture
def pulse(claim: Claim, clock: Clock) -> Pulse:
    return Pulse(claim, interval=timedelta(hours=1), clock=clock)


@pytest.fixture
def context(claim: Claim, pulse: Pulse, clock: Clock) -> JobContext:
    return JobContext(claim, pulse, clock=clock)


def row(context: JobContext) -> Job:
    return Job.objects.get(pk=context.job_id)


def test_the_first_report_is_written_and_the_next_after_half_a_second(
    context: JobContext, clock: Clock
) -> None:
    written = []
    for step in range(1, 12):
        context.report(step, 100, "records")
        written.append(row(context).progress_done)
        clock.move(0.1)
    assert written == [1, 1, 1, 1, 1, 6, 6, 6, 6, 6, 11]


def test_reports_go_on_when_the_clock_is_set_back(context: JobContext, clock: Clock) -> None:
    context.report(1)
    clock.move(-3600)
    context.report(2)
    assert row(context).progress_done == 2


def test_where_the_attempt_began_is_kept(context: JobContext, clock: Clock) -> None:
    context.report(500, 900)
    clock.move(1)
    context.report(600, 900)
    assert (row(context).progress_start, row(context).progress_done) == (500, 600)


def test_a_wish_to_cancel_is_met_at_the_next_write(context: JobContext, clock: Clock) -> None:
    context.report(1)
    request_cancel(job_id=context.job_id, now=NOON)
    context.report(2)
    clock.move(0.5)
    with pytest.raises(JobCancelled):
        context.report(3)


def test_what_the_pulse_learned_is_met_at_the_next_report(context: JobContext, pulse: Pulse) -> None:
    context.report(1)
    pulse.lost = True
    with pytest.raises(LeaseLost):
        context.report(2)


def test_a_fenced_transaction_writes_while_the_job_is_held(context: JobContext) -> None:
    with context.fenced_transaction():
        Job.objects.filter(pk=context.job_id).update(kind="written")
    assert row(context).kind == "written"


def test_a_fenced_transaction_refuses_a_worker_that_no_longer_holds_the_job(
    context: JobContext, claim: Claim
) -> None:
    hand_back_job(claim, now=NOON)
    with pytest.raises(LeaseLost), context.fenced_transaction():
        Job.objects.filter(pk=context.job_id).update(kind="written")
    assert row(context).kind == "probe"
