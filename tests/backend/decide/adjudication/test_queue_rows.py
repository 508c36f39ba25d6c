"""The rows by which the queue is counted say what the slow way says, whatever happened in between."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from backend.annotate.batches.errors import BatchError
from backend.annotate.batches.models import AssignedItem, BatchKind, BatchState
from backend.annotate.batches.services.life import forget_batch
from backend.annotate.batches.services.people import restore_annotator, withdraw_annotator
from backend.annotate.discussions import services as discussions
from backend.annotate.discussions.errors import DiscussionError
from backend.annotate.discussions.models import Discussion
from backend.core.accounts.models import User
from backend.core.jobs.models import Job, JobState
from backend.core.jobs.runner import run_job
from backend.core.studies.models import Study
from backend.decide.adjudication import queue_rows
from backend.decide.adjudication.doubting import ask_for_another_look, withdraw_the_ask
from backend.decide.adjudication.errors import AdjudicationError
from backend.decide.adjudication.memory import forget
from backend.decide.adjudication.models import Decision, QueueItem, QueueMark, Suspicion, SuspicionKind
from backend.decide.adjudication.plan_services import dismiss_suspicion
from backend.decide.adjudication.queue import count_queue, queue_for
from backend.decide.adjudication.queue_marks import drop_queue_marks, install_queue_marks
from backend.decide.adjudication.queue_rows import rebuild_queue, refresh_or_enqueue, refresh_queue
from backend.decide.adjudication.queue_states import item_states
from backend.decide.adjudication.services import undo
from backend.design.codebooks.services import add_edition
from backend.design.samples.models import Item
from tests.backend.decide.adjudication.many import decide_thousands_twice, hand_in_thousands
from tests.backend.decide.adjudication.scene import ADVICE, EMOTIONS, Bench, later
from tests.backend.decide.adjudication.test_views import client_of
from tests.examples import examples
from tests.given_work import CastAtWork


def stored(study: Study) -> dict[int, object]:
    """What is in the rows, after what was marked has been worked out."""
    refresh_queue(study)
    rows = QueueItem.objects.filter(study=study)
    return {
        row.item_id: (
            row.state,
            row.points,
            row.codes,
            row.annotators,
            row.batches,
            row.blind_to_id,
            row.final_id,
        )
        for row in rows
    }


def worked_out(study: Study) -> dict[int, object]:
    return {
        pk: (
            found.state,
            {str(reason): n for reason, n in found.points.items()},
            sorted(found.codes),
            sorted(found.annotators),
            sorted(found.batches),
            found.blind_to,
            found.final,
        )
        for pk, found in item_states(study).items()
    }


class Life:
    """What can happen in a study, each step by the numbers that hypothesis draws."""

    def __init__(self, bench: Bench) -> None:
        self.bench, self.minute, self.batches, self.editions = bench, 0, 1, 1

    def steps(self) -> list[Callable[[random.Random], object]]:
        return [
            self.answer,
            self.answer,
            self.answer,
            self.spoil,
            self.decide,
            self.decide,
            self.undo,
            self.suspect,
            self.dismiss,
            self.ask,
            self.talk,
            self.change_state,
            self.withdraw,
            self.take_back,
            self.give_again,
            self.change_plan,
            self.change_codebook,
            self.forget,
        ]

    def item(self, rng: random.Random) -> Item:
        return rng.choice(self.bench.items)

    def now(self) -> int:
        self.minute += 1
        return self.minute

    def answer(self, rng: random.Random) -> None:
        codes = rng.choice([[], [EMOTIONS], [ADVICE]])
        item = self.item(rng)
        flag = rng.choice([None, None, "Is it?"])
        answers = self.bench.work.answers(item, *codes, flag=flag)
        self.hand_in(rng, item, answers)

    def spoil(self, rng: random.Random) -> None:
        self.hand_in(rng, self.item(rng), None, results=[{"nonsense": True}])

    def hand_in(self, rng: random.Random, item: Item, answers: object, **more: object) -> None:
        batch = rng.choice(list(self.bench.study.batches.all()))
        annotator = rng.choice(self.bench.annotators)
        held = batch.assignments.filter(annotator=annotator, assigned_items__item=item)
        if held.exists():
            self.bench.hand_in(annotator, item, answers, minutes=self.now(), batch=batch, **more)  # type: ignore[arg-type]

    def decide(self, rng: random.Random) -> None:
        codes = rng.choice([[], [EMOTIONS]])
        self.bench.decide(self.item(rng), self.researcher(rng), *codes, minutes=self.now())

    def researcher(self, rng: random.Random) -> User:
        return rng.choice([self.bench.cast.rosa, self.bench.cast.ravi])

    def undo(self, rng: random.Random) -> None:
        if rows := list(Decision.objects.all()):
            undo(decision=rng.choice(rows), actor=self.researcher(rng), now=later(self.now()))

    def suspect(self, rng: random.Random) -> None:
        Suspicion.objects.create(
            item=self.item(rng),
            kind=SuspicionKind.RECHECK,
            code=EMOTIONS,
            detail={},
            detail_hash=str(self.now()),
            found_at=later(self.minute),
        )

    def dismiss(self, rng: random.Random) -> None:
        if rows := list(Suspicion.objects.all()):
            dismiss_suspicion(
                suspicion=rng.choice(rows), reason="No.", actor=self.bench.cast.rosa, now=later(self.now())
            )

    def ask(self, rng: random.Random) -> None:
        item, now = self.item(rng), later(self.now())
        if rng.random() < 0.3:
            withdraw_the_ask(item=item, code=EMOTIONS, now=now)
        else:
            ask_for_another_look(
                item=item,
                code=EMOTIONS,
                label=0,
                model_says=1,
                model="M",
                actor=self.bench.cast.rosa,
                now=now,
            )

    def talk(self, rng: random.Random) -> None:
        if rows := list(Discussion.objects.all()):
            found, rosa, now = rng.choice(rows), self.bench.cast.rosa, later(self.now())
            what = rng.choice(["settle", "reopen", "reply"])
            if what == "settle":
                discussions.settle(discussion=found, actor=rosa, reason="So.", now=now)
            elif what == "reopen":
                discussions.reopen(discussion=found, actor=rosa, now=now)
            else:
                discussions.reply(discussion=found, author=rosa, body="Why?", now=now)

    def change_state(self, rng: random.Random) -> None:
        batch = rng.choice(list(self.bench.study.batches.all()))
        batch.state = rng.choice([BatchState.OPEN, BatchState.CLOSED, BatchState.DISCARDING])
        batch.save(update_fields=["state"])

    def withdraw(self, rng: random.Random) -> None:
        who, now = rng.choice(self.bench.annotators), later(self.now())
        if rng.random() < 0.5:
            withdraw_annotator(batch=self.bench.batch, annotator=who, actor=self.bench.cast.rosa, now=now)
        else:
            restore_annotator(batch=self.bench.batch, annotator=who, actor=self.bench.cast.rosa, now=now)

    def take_back(self, rng: random.Random) -> None:
        places = AssignedItem.objects.filter(item=self.item(rng), submission=None)
        moment = rng.choice([None, later(self.now())])
        places.filter(assignment__annotator=rng.choice(self.bench.annotators)).update(taken_back_at=moment)

    def give_again(self, rng: random.Random) -> None:
        self.batches += 1
        kind = rng.choice([BatchKind.MAIN, BatchKind.RECHECK])
        self.bench.again(
            rng.choice(self.bench.annotators), self.item(rng), kind=kind, name=f"B{self.batches}"
        )

    def change_plan(self, rng: random.Random) -> None:
        self.bench.plan(threshold=rng.choice([0, 0.5, 1]), second_share=rng.choice([0, 1]))

    def change_codebook(self, rng: random.Random) -> None:
        self.editions += 1
        add_edition(
            study=self.bench.study,
            source=self.bench.work.edition.source.replace("definition: ", f"definition: {self.editions} ", 1),
            file_name="codebook.yaml",
            note="Reworded",
            actor=self.bench.cast.rosa,
            now=later(self.now()),
        )

    def forget(self, rng: random.Random) -> None:
        others = list(self.bench.study.batches.exclude(pk=self.bench.batch.pk))
        if others:
            batch = rng.choice(others)
            batch.state = BatchState.DISCARDING
            batch.save()
            forget_batch(batch=batch, actor=self.bench.cast.rosa, now=later(self.now()))


REFUSALS = (AdjudicationError, BatchError, DiscussionError)


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
        assert not any("judgment" in one["sql"] or "submission" in one["sql"] for one in asked)
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
    assert not any("judgments_" in one["sql"] for one in asked)


@pytest.mark.parametrize("path", ["adjudication", "members", "adjudication/counting"])
def test_a_page_leaves_many_changes_to_one_job(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(queue_rows, "CHUNK", 3)
    for item in bench.items[:4]:
        bench.disagree(item)
    before = stored(bench.study)
    bench.plan(threshold=0, second_share=1)
    marked = set(QueueMark.objects.values_list("pk", flat=True))
    client = client_of(bench.cast.rosa)
    for _ in range(2):
        shown = client.get(f"/studies/{bench.study.slug}/{path}")
    assert set(QueueMark.objects.values_list("pk", flat=True)) == marked != set()
    job = Job.objects.get()
    assert (job.kind, job.state) == ("refresh_adjudication_queue", JobState.QUEUED)
    counts = count_queue(bench.cast.rosa, bench.study)
    assert counts.is_counting and counts.total == len(before)

    run_job(job_id=job.pk, clock=lambda: later(1))
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert job.result and job.result["summary"] == "4 items of the queue worked out again."
    assert not QueueMark.objects.exists()
    assert stored(bench.study) == worked_out(bench.study)
    assert not count_queue(bench.cast.rosa, bench.study).is_counting
    assert Job.objects.count() == 1 and shown.status_code < 300


def test_a_few_changes_are_worked_out_at_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_rows, "CHUNK", 4)
    for item in bench.items[:4]:
        bench.disagree(item)
    bench.plan(threshold=0, second_share=1)
    assert QueueMark.objects.exists()
    assert not count_queue(bench.cast.rosa, bench.study).is_counting
    assert not QueueMark.objects.exists() and not Job.objects.exists()
    assert stored(bench.study) == worked_out(bench.study)


def test_a_job_that_failed_is_not_asked_for_again_at_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_rows, "CHUNK", 1)
    for item in bench.items[:2]:
        bench.decide(item, bench.cast.rosa)
    assert refresh_or_enqueue(bench.study, now=later(0))
    Job.objects.update(state=JobState.FAILED, finished_at=later(1), error="Broken")
    assert refresh_or_enqueue(bench.study, now=later(5))
    assert Job.objects.count() == 1
    assert refresh_or_enqueue(bench.study, now=later(12))
    assert Job.objects.count() == 2


def test_pages_say_that_the_queue_is_being_counted(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_rows, "CHUNK", 1)
    client, here = client_of(bench.cast.rosa), f"/studies/{bench.study.slug}"
    for item in bench.items[:2]:
        bench.decide(item, bench.cast.rosa)
    queue = client.get(f"{here}/adjudication").content.decode()
    assert f'hx-get="{here}/adjudication/counting" hx-trigger="every 2s"' in queue
    assert "The queue is being counted again" in queue and "Nothing to settle yet" not in queue
    assert 'title="Being counted again"' in client.get(f"{here}/members").content.decode()
    assert client.get(f"/api/v1{here}/adjudication/queue").json()["is_counting"]
    assert client.get(f"{here}/adjudication/counting").status_code == 204

    refresh_queue(bench.study)
    assert client.get(f"{here}/adjudication/counting").headers["HX-Refresh"] == "true"
    assert "being counted" not in client.get(f"{here}/adjudication").content.decode().lower()


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
