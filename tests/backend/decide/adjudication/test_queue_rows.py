"""The rows by which the queue is counted say what the slow way says, whatever happened in between."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from backend.annotate.batches.models import BatchState
from backend.decide.adjudication.memory import forget
from backend.decide.adjudication.models import QueueItem, QueueMark
from backend.decide.adjudication.queue import count_queue, queue_for
from backend.decide.adjudication.queue_marks import drop_queue_marks, install_queue_marks
from backend.decide.adjudication.queue_rows import rebuild_queue, refresh_queue
from tests.backend.decide.adjudication.fixtures import EMOTIONS, Bench
from tests.backend.decide.adjudication.many import decide_thousands_twice, hand_in_thousands
from tests.backend.decide.adjudication.queue_life import REFUSALS, Life, stored, worked_out
from tests.backend.decide.adjudication.test_views import client_of
from tests.batch_fixtures import CastAtWork
from tests.examples import examples


@given(steps=st.lists(st.tuples(st.integers(0, 17), st.integers(0, 2**16)), min_size=8, max_size=20))
@settings(
    suppress_health_check=list(HealthCheck),
    max_examples=examples(12, soak=1000),
    phases=[Phase.explicit, Phase.generate],
)
def test_the_rows_say_what_the_slow_way_says(work: CastAtWork, steps: list[tuple[int, int]]) -> None:
    forget()
    with transaction.atomic():
        bench = Bench(work, n_items=3)
        life = Life(bench)
        for number, seed in steps:
            with suppress(*REFUSALS), transaction.atomic():
                life.steps()[number](random.Random(seed))
            if seed % 3 == 0:
                assert stored(bench.study) == worked_out(bench.study)
        assert stored(bench.study) == worked_out(bench.study)
        for user in (bench.cast.rosa, bench.cast.ravi, None):
            found = queue_for(user, bench.study)
            assert count_queue(user, bench.study).waiting == found.waiting == len(found.entries)
        transaction.set_rollback(True)


def test_every_step_of_the_property_changes_something_somewhere(bench: Bench) -> None:
    """A property whose steps are all refused would hold of anything."""
    life, rng = Life(bench), random.Random(1)
    done = set()
    for _ in range(6):
        for step in life.steps():
            with suppress(*REFUSALS), transaction.atomic():
                step(rng)
                done.add(step.__name__)
    assert done == {step.__name__ for step in life.steps()}
    assert {row.state for row in QueueItem.objects.all()} >= {"waiting", "settled"}


def test_a_change_marks_its_item_and_no_other(bench: Bench) -> None:
    bench.disagree(bench.items[0])
    bench.disagree(bench.items[1])
    refresh_queue(bench.study)
    assert not QueueMark.objects.exists()
    bench.decide(bench.items[0], bench.cast.rosa, EMOTIONS)
    assert set(QueueMark.objects.values_list("item_pk", flat=True)) == {bench.items[0].pk}


def test_answers_that_are_derived_leave_nothing_to_work_out(bench: Bench) -> None:
    bench.disagree(bench.items[0])
    assert not QueueMark.objects.exists()
    assert QueueItem.objects.get().n_points == 1


def test_items_that_nobody_has_judged_are_not_marked_when_they_are_given_out(bench: Bench) -> None:
    assert not QueueMark.objects.exists()


def test_the_command_that_derives_judgments_anew_mends_the_rows(bench: Bench) -> None:
    bench.disagree(bench.items[0])
    bench.all_say(bench.items[1], [], [], [])
    bench.decide(bench.items[2], bench.cast.rosa)
    right = stored(bench.study)
    assert len(right) == 3
    QueueItem.objects.filter(item=bench.items[0]).delete()
    QueueItem.objects.filter(item=bench.items[1]).update(n_points=7, state="waiting")
    call_command("rebuild_judgments", bench.study.slug)
    assert stored(bench.study) == right
    assert rebuild_queue(bench.study) == 3


def test_a_table_that_a_migration_made_anew_has_its_triggers(bench: Bench) -> None:
    """Migrating drops the triggers before and makes them after it, twice without complaint."""
    for change in (drop_queue_marks, drop_queue_marks, install_queue_marks, install_queue_marks):
        change()
    bench.disagree(bench.items[0])
    assert stored(bench.study) == worked_out(bench.study) != {}


def reads_answers(sql: str) -> bool:
    """But for a person's own open seats, which hide items from them: those are asked for by their annotator."""
    return ("judgment" in sql or "submission" in sql) and '."annotator_id" = ' not in sql


@pytest.mark.django_db
def test_the_badge_takes_the_same_few_queries_however_many_items_there_are(bench: Bench) -> None:
    counts = []
    for n in (30, 300):
        items = hand_in_thousands(bench.work, n, name=f"{n}")
        decide_thousands_twice(bench.work, items[::2])
        count_queue(bench.cast.rosa, bench.study)
        with CaptureQueriesContext(connection) as asked:
            count_queue(bench.cast.rosa, bench.study)
        counts.append(len(asked))
        assert [one["sql"] for one in asked if reads_answers(one["sql"])] == []
    assert counts == [2, 2]
    assert stored(bench.study) == worked_out(bench.study)


def test_a_researchers_page_reads_no_answers_for_its_badge(bench: Bench) -> None:
    bench.disagree(bench.items[0])
    client = client_of(bench.cast.rosa)
    page = f"/studies/{bench.study.slug}/members"
    with CaptureQueriesContext(connection) as asked:
        shown = client.get(page)
    entries = [each for stage in shown.context["nav_stages"] for each in stage.items]
    (item,) = [each for each in entries if each.label == "Adjudication"]
    assert item.waiting == 1
    assert [one["sql"] for one in asked if reads_answers(one["sql"])] == []


@pytest.mark.django_db
def test_what_was_judged_gets_its_row_back_with_its_batch(bench: Bench) -> None:
    bench.disagree(bench.items[0])
    before = stored(bench.study)
    for state in (BatchState.DISCARDING, BatchState.OPEN):
        bench.study.batches.update(state=state)
        assert stored(bench.study) == worked_out(bench.study)
    assert stored(bench.study) == before != {}


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite keeps no plan of a trigger")
@pytest.mark.parametrize(
    "believed",
    [
        "VACUUM",
        "UPDATE pg_class SET relpages = 10, reltuples = 0 WHERE relkind = 'r' AND relname LIKE '%item'",
    ],
)
def test_triggers_find_rows_by_their_keys_where_tables_are_believed_to_be_empty(
    work: CastAtWork, believed: str
) -> None:
    """As after rows were deleted: PostgreSQL then holds reading a whole index for as cheap as looking a key up, and
    keeps such a plan for as long as the connection lasts."""
    with connection.cursor() as cursor:
        cursor.execute(believed)
    with transaction.atomic(), connection.cursor() as cursor:
        hand_in_thousands(work, 1, name="First", analyze=False)
        before = _rows_read(cursor)
        hand_in_thousands(work, 200, name="Many", analyze=False)
        # Three answers to each; reading a table or an index for every answer would make it hundreds of thousands
        assert _rows_read(cursor) - before < 200 * 3 * 20


def _rows_read(cursor: CursorWrapper) -> int:
    cursor.execute("SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables")
    return int(cursor.fetchone()[0])
