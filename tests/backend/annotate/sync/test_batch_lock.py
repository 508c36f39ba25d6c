"""One job at a time brings a batch in line; a job whose worker died stands in nobody's way."""

from __future__ import annotations

import pytest

from backend.annotate.batches.models import Batch
from backend.annotate.batches.queue import enqueue_preparation
from backend.annotate.sync.batch_lock import take_batch_lock
from backend.annotate.sync.errors import BatchIsBusy
from backend.core.jobs.leases import claim_job, requeue_expired
from backend.core.jobs.models import Job, JobState
from backend.core.jobs.runner import run_job
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW


@pytest.fixture
def batch(work: CastAtWork) -> Batch:
    return work.batch(work.cast.amal, items=work.items[:2])


def preparation(batch: Batch) -> Job:
    return enqueue_preparation(batch=batch, actor=None, now=NOW)


def test_while_one_job_runs_another_waits_in_the_queue(batch: Batch) -> None:
    first, second = preparation(batch), preparation(batch)
    assert claim_job(job_id=first.pk, now=NOW) is not None
    take_batch_lock(batch_id=batch.pk, job_id=first.pk)
    take_batch_lock(batch_id=batch.pk, job_id=first.pk)
    with pytest.raises(BatchIsBusy):
        take_batch_lock(batch_id=batch.pk, job_id=second.pk)
    run_job(job_id=second.pk, clock=lambda: NOW)
    second.refresh_from_db()
    assert (second.state, second.attempts) == (JobState.QUEUED, 0)


def test_a_job_that_is_over_or_whose_worker_fell_silent_holds_nobody_up(batch: Batch) -> None:
    first, second = preparation(batch), preparation(batch)
    claim = claim_job(job_id=first.pk, now=NOW)
    assert claim is not None
    take_batch_lock(batch_id=batch.pk, job_id=first.pk)
    first.refresh_from_db()
    assert first.lease_until is not None
    requeue_expired(now=first.lease_until)
    take_batch_lock(batch_id=batch.pk, job_id=second.pk)


def test_other_batches_have_turns_of_their_own(work: CastAtWork, batch: Batch) -> None:
    other = work.batch(work.cast.bea, items=work.items[:2], name="Batch 2")
    first, second = preparation(batch), preparation(other)
    claim_job(job_id=first.pk, now=NOW)
    take_batch_lock(batch_id=batch.pk, job_id=first.pk)
    take_batch_lock(batch_id=other.pk, job_id=second.pk)
