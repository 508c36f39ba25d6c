"""Compare-and-swap under real concurrency: many workers, one claim."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.db import connection

from backend.core.jobs.errors import LeaseLost
from backend.core.jobs.leases import claim_job, finish_job
from backend.core.jobs.models import Job
from backend.core.jobs.values import Claim

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
WORKERS, JOBS = 8, 25


def job_ids() -> list[int]:
    return [Job.objects.create(kind="probe", arguments={}, created_at=NOON).pk for _ in range(JOBS)]


@pytest.mark.django_db(transaction=True)
def test_every_job_is_claimed_by_exactly_one_of_many_workers() -> None:
    ids, claims, start = job_ids(), list[Claim](), threading.Barrier(WORKERS)

    def work() -> None:
        start.wait()
        for job_id in ids:
            claim = claim_job(job_id=job_id, now=NOON)
            if claim is not None:
                claims.append(claim)
        connection.close()

    run_together(work)
    assert sorted(claim.job_id for claim in claims) == ids
    assert set(Job.objects.values_list("fence", "attempts")) == {(1, 1)}


@pytest.mark.django_db(transaction=True)
def test_one_claim_used_by_many_finishes_once() -> None:
    (first, *_) = job_ids()
    claim, start = claim_job(job_id=first, now=NOON), threading.Barrier(WORKERS)
    assert claim is not None
    outcomes: list[str] = []

    def work() -> None:
        start.wait()
        try:
            finish_job(claim, result=threading.get_ident(), progress=None, now=NOON)
            outcomes.append("finished")
        except LeaseLost:
            outcomes.append("lost")
        connection.close()

    run_together(work)
    assert sorted(outcomes) == ["finished"] + ["lost"] * (WORKERS - 1)


def run_together(work: Callable[[], None]) -> None:
    threads = [threading.Thread(target=work) for _ in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
