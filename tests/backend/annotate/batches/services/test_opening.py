"""What is opened is what was shown, whole or not at all, and never twice."""

from __future__ import annotations

import threading
from datetime import date

import pytest
from django.db import IntegrityError, connection, transaction

from backend.annotate.batches import errors
from backend.annotate.batches.models import AssignedItem, Assignment, Batch
from backend.annotate.batches.planning import plan_batch
from backend.annotate.batches.queue import PREPARE_BATCH
from backend.annotate.batches.selectors import request_of
from backend.annotate.batches.services import open_batch
from backend.core.jobs.models import Job
from tests.backend.annotate.batches.fixtures import add_codebook, add_sample, asked, given, opened
from tests.cast import NOW, Cast


def test_the_batch_is_the_plan(ready: Cast) -> None:
    request = asked("main", n=4)
    plan = plan_batch(study=ready.study, request=request, now=NOW)
    batch = open_batch(study=ready.study, request=request, actor=ready.rosa, now=NOW, seen=plan.hash)
    assert given(batch) == {share.annotator.username: list(share.items) for share in plan.shares}
    assert (batch.kind, batch.state, batch.seed, batch.edition) == ("main", "open", 7, plan.edition)


def test_a_batch_keeps_what_was_asked_for_and_can_be_checked_by_it(ready: Cast) -> None:
    request = asked("main", n=4).model_copy(update={"due_on": date(2026, 3, 9)})
    batch = Batch.objects.get(pk=opened(ready, request).pk)
    assert request_of(batch) == request
    assert request_of(Batch(request={})) is None
    Batch.objects.all().delete()
    again = plan_batch(study=ready.study, request=request, now=NOW)
    assert batch.plan_hash == again.hash


def test_opening_leaves_a_line_and_wakes_the_sync(ready: Cast) -> None:
    batch = opened(ready, asked("overlap", n=4))
    assert ready.study.events.order_by("-pk")[0].summary == (
        "Opened the overlap batch “Batch 1”: 4 items to 3 annotators"
    )
    job = Job.objects.get(kind=PREPARE_BATCH)
    assert (job.arguments, job.study, job.created_by) == ({"batch": batch.pk}, ready.study, ready.rosa)


def test_another_plan_than_the_one_that_was_seen_is_not_opened(ready: Cast) -> None:
    request = asked("main", n=4)
    seen = plan_batch(study=ready.study, request=request, now=NOW).hash
    opened(ready, asked("overlap", n=10, name="In between"))
    with pytest.raises(errors.PlanChanged):
        open_batch(study=ready.study, request=request, actor=ready.rosa, now=NOW, seen=seen)
    assert [batch.name for batch in Batch.objects.all()] == ["In between"]
    assert Job.objects.filter(kind=PREPARE_BATCH).count() == 1


def test_a_name_is_taken_once_in_a_study(ready: Cast) -> None:
    opened(ready, asked("overlap", n=2))
    with pytest.raises(errors.NameTaken, match="“Batch 1”"):
        opened(ready, asked("main", n=2, name=" Batch 1 "))


def test_a_due_date_lies_ahead(ready: Cast) -> None:
    request = asked("overlap", n=2)
    with pytest.raises(errors.DueDatePast, match=r"28\.02\.2026"):
        opened(ready, request.model_copy(update={"due_on": date(2026, 2, 28)}))
    batch = opened(ready, request.model_copy(update={"due_on": date(2026, 3, 1)}))
    assert batch.due_on == date(2026, 3, 1)


def test_the_database_refuses_an_item_twice_in_one_share(ready: Cast) -> None:
    batch = opened(ready, asked("overlap", n=2))
    place = AssignedItem.objects.filter(assignment__batch=batch)[0]
    with pytest.raises(IntegrityError), transaction.atomic():
        AssignedItem.objects.create(assignment=place.assignment, item=place.item, position=99)
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.create(batch=batch, annotator=place.assignment.annotator, assigned_at=NOW)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_many_who_open_at_once_share_no_name_and_no_item(cast: Cast) -> None:
    add_codebook(cast)
    add_sample(cast, "Main", range(30))
    names = ["Same", "Same", "One", "Two"]
    outcomes: list[str] = []
    start = threading.Barrier(len(names))

    def work(name: str) -> None:
        start.wait()
        try:
            opened(cast, asked("main", n=3, name=name))
            outcomes.append(f"opened {name}")
        except errors.NameTaken:
            outcomes.append(f"refused {name}")
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=[name]) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["opened One", "opened Same", "opened Two", "refused Same"]
    items = list(AssignedItem.objects.values_list("item", flat=True))
    assert len(items) == len(set(items)) == 27
