"""A batch that nobody worked on can vanish without a trace of its items; one with work stays, whatever happens."""

from __future__ import annotations

import pytest

from backend.annotate.batches import errors, services
from backend.annotate.batches.candidates import fresh_counts
from backend.annotate.batches.models import Batch, BatchState
from backend.annotate.batches.queue import DISCARD_BATCH, PREPARE_BATCH
from backend.annotate.batches.work import work_of
from backend.annotate.label_studio.errors import LabelStudioUnreachable
from backend.annotate.sync.batch_lock import take_batch_lock
from backend.annotate.sync.erasure import discard_batch
from backend.annotate.sync.models import Project
from backend.core.jobs.models import Job, JobState
from backend.core.jobs.runner import run_job
from tests.backend.annotate.batches.fixtures import asked, opened, places, quarantine, submit
from tests.backend.annotate.sync.sync_bench import Bench
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW, Cast
from tests.label_studio_fake import When


@pytest.fixture
def bench(work: CastAtWork) -> Bench:
    return Bench(work, work.batch(work.cast.amal, work.cast.bea, items=work.items[:3]))


def wanted(bench: Bench) -> None:
    services.discard_batch(batch=bench.batch, actor=bench.work.cast.rosa, now=NOW)


def carry_out(bench: Bench) -> None:
    discard_batch(bench.batch, bench.server, actor=bench.work.cast.rosa, now=NOW)


def test_discarding_asks_a_worker_and_lets_nobody_work_meanwhile(ready: Cast) -> None:
    batch = opened(ready, asked("overlap", n=3))
    services.pause_batch(batch=batch, actor=ready.rosa, now=NOW)
    found = services.discard_batch(batch=batch, actor=ready.rosa, now=NOW)
    assert (found.state, found.state_before) == (BatchState.DISCARDING, BatchState.PAUSED)
    assert Job.objects.get(kind=DISCARD_BATCH).arguments == {
        "batch": batch.pk,
        "name": "Batch 1",
        "slug": "kind-words",
        "actor": ready.rosa.pk,
    }
    (share,) = work_of(ready.amal, ready.study, today=NOW.date())
    assert (share.is_current, share.can_work) == (False, False)
    for change in (
        services.resume_batch,
        services.close_batch,
        services.reopen_batch,
        services.discard_batch,
    ):
        with pytest.raises(errors.WrongState, match="is being discarded: keep it first"):
            change(batch=batch, actor=ready.rosa, now=NOW)
    with pytest.raises(errors.WrongState):
        services.withdraw_annotator(batch=batch, annotator=ready.amal, actor=ready.rosa, now=NOW)


def test_a_discarding_can_be_called_off(ready: Cast) -> None:
    batch = opened(ready, asked("overlap", n=3))
    services.close_batch(batch=batch, actor=ready.rosa, now=NOW)
    services.discard_batch(batch=batch, actor=ready.rosa, now=NOW)
    before = Job.objects.filter(kind=PREPARE_BATCH).count()
    kept = services.keep_batch(batch=batch, actor=ready.rosa, now=NOW)
    assert (kept.state, kept.state_before) == (BatchState.CLOSED, "")
    assert Job.objects.filter(kind=PREPARE_BATCH).count() == before + 1
    run_job(job_id=Job.objects.get(kind=DISCARD_BATCH).pk, clock=lambda: NOW)
    assert Batch.objects.filter(pk=batch.pk).exists()
    with pytest.raises(errors.WrongState):
        services.keep_batch(batch=batch, actor=ready.rosa, now=NOW)


@pytest.mark.parametrize("what", ["submitted", "skipped", "quarantined", "draft"])
def test_a_batch_with_work_is_not_discarded(ready: Cast, what: str) -> None:
    batch = opened(ready, asked("overlap", n=3))
    place = places(batch, ready.bea)[0]
    if what == "quarantined":
        quarantine(place)
    elif what == "draft":
        Project.objects.create(assignment=place.assignment, marker="attune:1", drafts_there=1)
    else:
        submit(place, state=what)
    with pytest.raises(errors.WorkCameIn, match="close it instead"):
        services.discard_batch(batch=batch, actor=ready.rosa, now=NOW)


def test_a_discarded_batch_frees_its_items(ready: Cast) -> None:
    batch = opened(ready, asked("overlap", n=3))
    services.discard_batch(batch=batch, actor=ready.rosa, now=NOW)
    services.forget_batch(batch=batch, actor=ready.rosa, now=NOW)
    assert not Batch.objects.exists()
    assert fresh_counts(ready.study) == {"Main": 30}
    assert [event.summary for event in ready.study.events.order_by("-pk")[:2]] == [
        "The batch “Batch 1” is discarded; its items can be given out again",
        "Discards the batch “Batch 1”",
    ]


def test_label_studio_is_rid_of_it_first(bench: Bench) -> None:
    bench.push()
    wanted(bench)
    carry_out(bench)
    assert (bench.server.projects(), Batch.objects.exists(), Project.objects.exists()) == ([], False, False)


def test_one_that_never_reached_label_studio_goes_too(bench: Bench) -> None:
    wanted(bench)
    carry_out(bench)
    assert not Batch.objects.exists()


@pytest.mark.parametrize("what", ["submit", "skip", "draft"])
def test_work_that_attune_has_not_heard_of_yet_saves_the_batch(bench: Bench, what: str) -> None:
    bench.push()
    amal, item = bench.work.cast.amal, bench.work.items[0]
    task = bench.tasks(amal)[item.item_id][0]
    if what == "submit":
        bench.submit(amal, item, "asking-advice")
    elif what == "skip":
        bench.server.skip(task, bench.account(amal))
    else:
        bench.server.save_draft(task, bench.results(item))
    wanted(bench)
    with pytest.raises(errors.WorkCameIn):
        carry_out(bench)
    assert len(bench.server.projects()) == 2
    assert not any(seat.is_open for seat in bench.server.seats.values())
    services.keep_batch(batch=bench.batch, actor=None, now=NOW)
    bench.push()
    assert all(seat.is_open for seat in bench.server.seats.values())


@pytest.mark.parametrize("step", ["projects", "set_seat", "task_index", "delete_project"])
@pytest.mark.parametrize("moment", ["before", "after"])
def test_whatever_is_cut_short_the_second_time_does_it(bench: Bench, step: str, moment: When) -> None:
    bench.push()
    wanted(bench)
    bench.server.fail_next(step, moment)
    with pytest.raises(LabelStudioUnreachable):
        carry_out(bench)
    assert Batch.objects.get().state == BatchState.DISCARDING
    carry_out(bench)
    assert (bench.server.projects(), Batch.objects.exists()) == ([], False)


def test_who_pushes_the_batch_is_waited_for(ready: Cast) -> None:
    batch = opened(ready, asked("overlap", n=3))
    push = Job.objects.get(kind=PREPARE_BATCH)
    Job.objects.filter(pk=push.pk).update(
        state=JobState.RUNNING, lease_until=NOW, heartbeat_at=NOW, started_at=NOW, fence=1, attempts=1
    )
    take_batch_lock(batch_id=batch.pk, job_id=push.pk)
    services.discard_batch(batch=batch, actor=ready.rosa, now=NOW)
    job = Job.objects.get(kind=DISCARD_BATCH)
    run_job(job_id=job.pk, clock=lambda: NOW)
    job.refresh_from_db()
    assert (job.state, job.attempts, Batch.objects.get().state) == (JobState.QUEUED, 0, BatchState.DISCARDING)


def test_a_push_that_comes_late_leaves_the_batch_alone(ready: Cast) -> None:
    batch = opened(ready, asked("overlap", n=3))
    services.discard_batch(batch=batch, actor=ready.rosa, now=NOW)
    job = Job.objects.get(kind=PREPARE_BATCH)
    run_job(job_id=job.pk, clock=lambda: NOW)
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert not Project.objects.exists()
