"""Counts say what is there, and cost the same however many batches there are."""

from __future__ import annotations

from datetime import date, timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext

from backend.annotate.batches import services
from backend.annotate.batches.counting import Counts
from backend.annotate.batches.item_states import Cell, ItemState, item_rows, items_of
from backend.annotate.batches.models import AssignedItem, Assignment, Batch, BatchState
from backend.annotate.batches.progress import batch_progress, batches_at_work, study_progress
from backend.annotate.discussions.services import follow_flag
from tests.backend.annotate.batches.fixtures import asked, opened, places, quarantine, submit
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW, Cast

TODAY = date(2026, 3, 1)


def test_each_annotator_is_counted(ready: Cast) -> None:
    batch = opened(ready, asked("overlap", n=6))
    first, second, third, fourth, *_ = places(batch, ready.amal)
    submit(first, seconds=10, flagged=True, days_ago=2)
    submit(second, seconds=100)
    submit(third, seconds=30, days_ago=1)
    submit(fourth, state="skipped", seconds=1)
    quarantine(places(batch, ready.bea)[0])
    quarantine(places(batch, ready.bea)[1], fixable=False)
    amal, bea, chen = batch_progress(batch, today=TODAY).annotators
    assert amal.counts == Counts(assigned=6, submitted=3, skipped=1, flagged=1)
    assert (amal.counts.done, amal.counts.left) == (4, 2)
    assert (amal.median_seconds, amal.last_activity) == (30, NOW)
    assert bea.counts == Counts(assigned=6, in_quarantine=2, fixable=1)
    assert (chen.counts, chen.median_seconds, chen.last_activity) == (Counts(assigned=6), None, None)


def test_a_flag_counts_beside_an_answer_in_quarantine(ready: Cast) -> None:
    batch = opened(ready, asked("overlap", n=2))
    sound, unsound = places(batch, ready.amal)
    submit(sound, flagged=True)
    quarantine(unsound)
    for place in (sound, unsound):
        follow_flag(assigned_item=place, is_flagged=True, comment="Is this advice?", now=NOW)
    assert batch_progress(batch, today=TODAY).counts.flagged == 2
    share = batch.assignments.get(annotator=ready.amal)
    rows = {row.item: row.cells for row in item_rows(list(items_of(batch)), [share])}
    assert rows[unsound.item] == (Cell(ItemState.QUARANTINED, is_flagged=True),)
    follow_flag(assigned_item=unsound, is_flagged=False, comment="", now=NOW)
    assert batch_progress(batch, today=TODAY).counts.flagged == 1


def test_a_batch_adds_its_annotators_up(ready: Cast) -> None:
    batch = opened(ready, asked("overlap", n=3))
    for user, seconds in ((ready.amal, 10), (ready.amal, 20), (ready.bea, 60)):
        place = next(p for p in places(batch, user) if not hasattr(p, "submission"))
        submit(place, seconds=seconds)
    progress = batch_progress(batch, today=TODAY)
    assert progress.counts == Counts(assigned=9, submitted=3)
    assert (progress.median_seconds, progress.last_activity) == (20, NOW)


def test_what_the_withdrawn_left_undone_is_with_nobody(ready: Cast) -> None:
    batch = opened(ready, asked("main", n=4))
    submit(places(batch, ready.amal)[0])
    services.withdraw_annotator(batch=batch, annotator=ready.amal, actor=ready.rosa, now=NOW)
    progress = batch_progress(batch, today=TODAY)
    assert (progress.with_nobody, progress.counts.assigned, progress.counts.done) == (3, 9, 1)
    services.reassign_items(batch=batch, annotator=ready.amal, to=[ready.bea], actor=ready.rosa, now=NOW)
    progress = batch_progress(batch, today=TODAY)
    assert (progress.with_nobody, progress.counts.assigned) == (0, 12)


def test_a_batch_is_overdue_while_somebody_has_something_left(ready: Cast) -> None:
    batch = opened(ready, asked("overlap", n=1, annotators=["amal", "bea"]))
    services.change_due_date(batch=batch, due_on=TODAY, actor=ready.rosa, now=NOW)
    batch.refresh_from_db()
    tomorrow = TODAY + timedelta(days=1)
    assert not batch_progress(batch, today=TODAY).is_overdue
    assert batch_progress(batch, today=tomorrow).is_overdue
    submit(places(batch, ready.amal)[0])
    services.withdraw_annotator(batch=batch, annotator=ready.bea, actor=ready.rosa, now=NOW)
    assert not batch_progress(batch, today=tomorrow).is_overdue
    services.restore_annotator(batch=batch, annotator=ready.bea, actor=ready.rosa, now=NOW)
    assert batch_progress(batch, today=tomorrow).is_overdue
    closed = services.close_batch(batch=batch, actor=ready.rosa, now=NOW)
    assert not batch_progress(closed, today=tomorrow).is_overdue


def test_more_batches_cost_no_more_queries(ready: Cast) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as seen:
            for row in study_progress(ready.study, today=TODAY):
                assert row.counts.assigned
                assert row.annotators[0].annotator.username
                assert row.batch.edition.number
        return len(seen)

    opened(ready, asked("overlap", n=1))
    few = queries()
    for number in range(2, 12):
        batch = opened(ready, asked("overlap", n=1, name=f"Batch {number}"))
        submit(places(batch, ready.amal)[0])
    assert queries() == few <= 6


def test_newest_batches_come_first(ready: Cast) -> None:
    for number in (1, 2):
        opened(ready, asked("overlap", n=1, name=f"Batch {number}"))
    assert [row.batch.name for row in study_progress(ready.study, today=TODAY)] == ["Batch 2", "Batch 1"]


def test_items_show_what_each_annotator_did(ready: Cast) -> None:
    batch = opened(ready, asked("main", n=3, annotators=["amal", "bea"]))
    first, second, third = places(batch, ready.amal)
    submit(first, flagged=True)
    quarantine(second)
    services.reassign_items(batch=batch, annotator=ready.amal, to=[ready.bea], actor=ready.rosa, now=NOW)
    submit(places(batch, ready.bea)[0], state="skipped")
    assignments = list(batch.assignments.order_by("annotator__username"))
    rows = {row.item.item_id: row.cells for row in item_rows(list(items_of(batch)), assignments)}
    assert len(rows) == 6
    amal, bea = rows[first.item.item_id]
    assert (amal.state, amal.is_flagged, bea.state) == (ItemState.SUBMITTED, True, ItemState.NOT_THEIRS)
    assert rows[second.item.item_id][0].state == ItemState.QUARANTINED
    handed = rows[third.item.item_id]
    assert [cell.state for cell in handed] == [ItemState.HANDED_OVER, ItemState.TO_DO]
    assert sorted(cells[1].state for cells in rows.values()) == sorted(
        [ItemState.NOT_THEIRS] * 2 + [ItemState.TO_DO] * 3 + [ItemState.SKIPPED]
    )


def test_an_answer_that_was_too_late_to_be_taken_back_is_counted(ready: Cast) -> None:
    batch = opened(ready, asked("main", n=2, annotators=["amal", "bea"]))
    late = places(batch, ready.amal)[0]
    services.reassign_items(batch=batch, annotator=ready.amal, to=[ready.bea], actor=ready.rosa, now=NOW)
    submit(AssignedItem.objects.get(pk=late.pk))
    amal, bea = batch_progress(Batch.objects.get(pk=batch.pk), today=TODAY).annotators
    assert (amal.counts.assigned, amal.counts.submitted) == (1, 1)
    assert bea.counts.assigned == 4


def test_batches_at_work_are_counted_as_their_pages_count_them(work: CastAtWork) -> None:
    first = work.batch(work.cast.amal, work.cast.bea, items=work.items[:3], name="First")
    closed = work.batch(work.cast.amal, items=work.items[3:5], name="Closed")
    Batch.objects.filter(pk=closed.pk).update(state=BatchState.CLOSED)
    Assignment.objects.filter(batch=first, annotator=work.cast.bea).update(withdrawn_at=NOW)
    (found,) = batches_at_work(work.study)
    assert found[0] == first
    expected = batch_progress(first, today=NOW.date()).counts
    assert (found[1].assigned, found[1].done) == (expected.assigned, expected.done) == (3, 0)
