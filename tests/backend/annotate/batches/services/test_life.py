"""A batch is paused, resumed, closed and reopened, and every step is told to Label Studio and to the history."""

from __future__ import annotations

from datetime import date

import pytest

from backend.annotate.batches import errors, services
from backend.annotate.batches.models import Batch
from backend.annotate.batches.queue import PREPARE_BATCH
from backend.core.jobs.models import Job
from tests.backend.annotate.batches.fixtures import asked, opened
from tests.cast import NOW, Cast


@pytest.fixture
def batch(ready: Cast) -> Batch:
    return opened(ready, asked("overlap", n=3))


def last_line(cast: Cast) -> str:
    return cast.study.events.order_by("-pk")[0].summary


def test_the_whole_life(ready: Cast, batch: Batch) -> None:
    steps = [
        (services.pause_batch, "paused", "Paused"),
        (services.resume_batch, "open", "Resumed"),
        (services.pause_batch, "paused", "Paused"),
        (services.close_batch, "closed", "Closed"),
        (services.reopen_batch, "open", "Reopened"),
        (services.close_batch, "closed", "Closed"),
    ]
    for number, (service, state, verb) in enumerate(steps, start=2):
        assert service(batch=batch, actor=ready.ravi, now=NOW).state == state
        assert last_line(ready) == f"{verb} the batch “Batch 1”"
        assert Job.objects.filter(kind=PREPARE_BATCH, arguments={"batch": batch.pk}).count() == number


def test_a_step_that_makes_no_sense_is_refused_and_leaves_nothing(ready: Cast, batch: Batch) -> None:
    before = ready.study.events.count()
    with pytest.raises(errors.WrongState, match="“Batch 1” is open"):
        services.resume_batch(batch=batch, actor=ready.rosa, now=NOW)
    services.close_batch(batch=batch, actor=ready.rosa, now=NOW)
    with pytest.raises(errors.WrongState, match="closed: reopen it first"):
        services.pause_batch(batch=batch, actor=ready.rosa, now=NOW)
    assert ready.study.events.count() == before + 1


def test_a_stale_copy_does_not_decide(ready: Cast, batch: Batch) -> None:
    stale = Batch.objects.get(pk=batch.pk)
    services.pause_batch(batch=batch, actor=ready.rosa, now=NOW)
    with pytest.raises(errors.WrongState, match="paused: resume it first"):
        services.pause_batch(batch=stale, actor=ready.rosa, now=NOW)


def test_the_due_date_moves_and_goes(ready: Cast, batch: Batch) -> None:
    services.change_due_date(batch=batch, due_on=date(2026, 3, 9), actor=ready.rosa, now=NOW)
    assert last_line(ready) == "The batch “Batch 1” is due on 09.03.2026"
    with pytest.raises(errors.DueDatePast):
        services.change_due_date(batch=batch, due_on=date(2026, 2, 1), actor=ready.rosa, now=NOW)
    batch.refresh_from_db()
    assert batch.due_on == date(2026, 3, 9)
    services.change_due_date(batch=batch, due_on=None, actor=ready.rosa, now=NOW)
    batch.refresh_from_db()
    assert batch.due_on is None


def test_a_batch_is_renamed_and_label_studio_follows(ready: Cast, batch: Batch) -> None:
    opened(ready, asked("overlap", n=3, name="Batch 2"))
    before = Job.objects.filter(kind=PREPARE_BATCH, arguments={"batch": batch.pk}).count()
    assert services.rename_batch(batch=batch, name=" First ", actor=ready.rosa, now=NOW).name == "First"
    assert last_line(ready) == "Renamed the batch “Batch 1” to “First”"
    assert Job.objects.filter(kind=PREPARE_BATCH, arguments={"batch": batch.pk}).count() == before + 1
    lines = ready.study.events.count()
    services.rename_batch(batch=batch, name="First", actor=ready.rosa, now=NOW)
    with pytest.raises(errors.NameTaken, match="“Batch 2”"):
        services.rename_batch(batch=batch, name="Batch 2", actor=ready.rosa, now=NOW)
    with pytest.raises(errors.NoName):
        services.rename_batch(batch=batch, name="  ", actor=ready.rosa, now=NOW)
    assert ready.study.events.count() == lines
