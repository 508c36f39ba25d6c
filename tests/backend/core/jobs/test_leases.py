"""Two workers can never both end a job, whatever the order of claims, silences, cancellations and sweeps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.db import IntegrityError
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from backend.core.jobs.errors import JobAlreadyOver, JobNotRetryable, LeaseLost
from backend.core.jobs.leases import (
    claim_job,
    fail_job,
    finish_job,
    hand_back_job,
    heartbeat,
    requeue_expired,
    stop_cancelled_job,
)
from backend.core.jobs.models import MAX_ATTEMPTS, Job, JobState
from backend.core.jobs.services import request_cancel, retry_job
from backend.core.jobs.values import Claim, Progress
from tests.examples import examples

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = NOON + settings.JOB_LEASE + timedelta(seconds=1)
pytestmark = pytest.mark.django_db


def queued_job() -> Job:
    return Job.objects.create(kind="probe", arguments={"path": "a"}, created_at=NOON, woken_at=NOON)


def claimed(job: Job, now: datetime = NOON) -> Claim:
    claim = claim_job(job_id=job.pk, now=now)
    assert claim is not None
    return claim


def test_a_claim_carries_what_the_handler_needs() -> None:
    job = queued_job()
    assert claimed(job) == Claim(job.pk, 1, "probe", None, {"path": "a"})
    job.refresh_from_db()
    assert (job.state, job.attempts, job.lease_until) == ("running", 1, NOON + settings.JOB_LEASE)


def test_a_job_is_claimed_once() -> None:
    job = queued_job()
    claimed(job)
    assert claim_job(job_id=job.pk, now=NOON) is None


def test_a_job_that_does_not_exist_is_not_claimed() -> None:
    assert claim_job(job_id=404, now=NOON) is None


def test_a_heartbeat_extends_the_lease_and_writes_progress() -> None:
    job = queued_job()
    claim = claimed(job)
    cancelled = heartbeat(
        claim, progress=Progress(3, 9, "records", "reading", 1), now=NOON + timedelta(seconds=5)
    )
    job.refresh_from_db()
    assert not cancelled
    assert job.lease_until == NOON + timedelta(seconds=5) + settings.JOB_LEASE
    assert (job.progress_done, job.progress_total, job.progress_unit) == (3, 9, "records")
    assert (job.progress_note, job.progress_start) == ("reading", 1)


def test_a_heartbeat_tells_that_a_person_wants_the_job_to_stop() -> None:
    job = queued_job()
    claim = claimed(job)
    request_cancel(job_id=job.pk, now=NOON)
    assert heartbeat(claim, progress=None, now=NOON)


def test_a_late_worker_cannot_write_anything() -> None:
    job = queued_job()
    late = claimed(job)
    assert requeue_expired(now=LATER) == [job.pk]
    current = claimed(job, LATER)
    with pytest.raises(LeaseLost):
        heartbeat(late, progress=None, now=LATER)
    with pytest.raises(LeaseLost):
        finish_job(late, result={"by": "late"}, progress=None, now=LATER)
    with pytest.raises(LeaseLost):
        fail_job(late, error="late", progress=None, now=LATER)
    with pytest.raises(LeaseLost):
        hand_back_job(late, now=LATER)
    finish_job(current, result={"by": "current"}, progress=None, now=LATER)
    job.refresh_from_db()
    assert (job.state, job.result, job.fence) == ("done", {"by": "current"}, 2)


def test_a_lease_that_has_not_expired_is_left_alone() -> None:
    job = queued_job()
    claim = claimed(job)
    heartbeat(claim, progress=None, now=LATER)
    assert requeue_expired(now=LATER) == []


def test_after_too_many_lost_workers_the_job_fails_with_a_reason() -> None:
    job = queued_job()
    for attempt in range(MAX_ATTEMPTS):
        claimed(job, NOON + attempt * timedelta(hours=1))
        requeue_expired(now=LATER + attempt * timedelta(hours=1))
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "stopped 3 times" in job.error


def test_a_cancelled_job_whose_worker_died_is_not_run_again() -> None:
    job = queued_job()
    claimed(job)
    request_cancel(job_id=job.pk, now=NOON)
    assert requeue_expired(now=LATER) == []
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED


def test_handing_back_costs_no_attempt() -> None:
    job = queued_job()
    for _ in range(2 * MAX_ATTEMPTS):
        hand_back_job(claimed(job), now=NOON)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.fence, job.woken_at) == ("queued", 0, 2 * MAX_ATTEMPTS, None)


def test_handing_back_keeps_what_was_said_last() -> None:
    job = queued_job()
    hand_back_job(claimed(job), progress=Progress(3, 9, "records", "Nobody answers", 1), now=NOON)
    job.refresh_from_db()
    assert (job.progress_done, job.progress_total, job.progress_note) == (3, 9, "Nobody answers")


def test_handing_back_a_cancelled_job_ends_it() -> None:
    job = queued_job()
    claim = claimed(job)
    request_cancel(job_id=job.pk, now=NOON)
    hand_back_job(claim, now=NOON)
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED


@pytest.mark.parametrize(
    "broken",
    [
        {"state": "paused"},
        {"state": "running"},
        {"lease_until": NOON},
        {"finished_at": NOON},
        {"state": "done"},
        {"state": "failed", "finished_at": NOON},
        {"error": "without having failed"},
        {"result": {"without": "being done"}},
        {"cancel_requested": True},
        {"attempts": MAX_ATTEMPTS + 1},
    ],
    ids=lambda broken: " ".join(broken),
)
def test_the_database_refuses_a_row_that_makes_no_sense(broken: dict[str, object]) -> None:
    job = queued_job()
    with pytest.raises(IntegrityError):
        Job.objects.filter(pk=job.pk).update(**broken)


class TwoWorkers(RuleBasedStateMachine):
    """A reference in plain Python (who holds the job?) beside the real rows."""

    workers = st.sampled_from(["Ada", "Ben"])

    def __init__(self) -> None:
        super().__init__()
        self.job = queued_job()
        self.now = NOON
        self.claims: dict[str, Claim] = {}
        self.holder: str | None = None
        self.expires = NOON
        self.finishes = 0

    def state(self) -> str:
        self.job.refresh_from_db()
        return str(self.job.state)

    @rule(worker=workers)
    def claim(self, worker: str) -> None:
        before = self.state()
        claim = claim_job(job_id=self.job.pk, now=self.now)
        assert (claim is not None) == (before == "queued")
        if claim is not None:
            assert all(claim.fence > earlier.fence for earlier in self.claims.values())
            self.claims[worker], self.holder = claim, worker
            self.expires = self.now + settings.JOB_LEASE

    @rule(worker=workers)
    def beat(self, worker: str) -> None:
        if worker in self.claims:
            if worker != self.holder:
                with pytest.raises(LeaseLost):
                    heartbeat(self.claims[worker], progress=None, now=self.now)
            else:
                heartbeat(self.claims[worker], progress=None, now=self.now)
                self.expires = self.now + settings.JOB_LEASE

    @rule(worker=workers, how=st.sampled_from(["finish", "fail", "cancel", "hand back"]))
    def end(self, worker: str, how: str) -> None:
        if worker not in self.claims:
            return
        claim = self.claims[worker]
        if worker != self.holder:
            with pytest.raises(LeaseLost):
                self.end_as(claim, how)
            return
        self.end_as(claim, how)
        self.holder = None
        self.finishes += how == "finish"

    def end_as(self, claim: Claim, how: str) -> None:
        if how == "finish":
            finish_job(claim, result={"fence": claim.fence}, progress=None, now=self.now)
        elif how == "fail":
            fail_job(claim, error="It broke.", progress=None, now=self.now)
        elif how == "cancel":
            stop_cancelled_job(claim, progress=None, now=self.now)
        else:
            hand_back_job(claim, now=self.now)

    @rule(seconds=st.integers(1, 200))
    def time_passes_and_the_sweep_comes(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)
        requeue_expired(now=self.now)
        if self.holder is not None and self.expires <= self.now:
            self.holder = None

    @rule()
    def a_person_cancels(self) -> None:
        if self.state() in ("queued", "running"):
            request_cancel(job_id=self.job.pk, now=self.now)
        else:
            with pytest.raises(JobAlreadyOver):
                request_cancel(job_id=self.job.pk, now=self.now)

    @rule()
    def a_person_retries(self) -> None:
        if self.state() in ("failed", "cancelled"):
            retry_job(job_id=self.job.pk, now=self.now)
        else:
            with pytest.raises(JobNotRetryable):
                retry_job(job_id=self.job.pk, now=self.now)

    @invariant()
    def the_row_runs_exactly_while_somebody_holds_it(self) -> None:
        assert (self.state() == "running") == (self.holder is not None)

    @invariant()
    def it_is_finished_at_most_once(self) -> None:
        assert self.finishes <= 1
        assert (self.state() == "done") == (self.finishes == 1)


@pytest.mark.hypothesis
def test_two_workers_never_both_finish() -> None:
    run_state_machine_as_test(
        TwoWorkers,
        settings=hypothesis_settings(
            max_examples=examples(60),
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
