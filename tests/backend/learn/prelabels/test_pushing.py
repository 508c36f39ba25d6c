"""Suggestions reach exactly the items that chance gave them to, whatever dies in between."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction
from django.db.models import Count

from annotation.answers import Answers
from annotation.label_studio.decoding import decode_results
from backend.annotate.batches.models import Batch, BatchKind
from backend.annotate.batches.services import close_batch, reassign_items
from backend.design.codebooks.services import add_edition
from backend.design.samples.selectors import item_text
from backend.learn.models.services import retire, roll_back
from backend.learn.prelabels.models import ConditionAssignment, KeptPrediction, PrelabelChoice, Suggestion
from backend.learn.prelabels.predicting import read_kept
from backend.learn.prelabels.queue import enqueue_push
from backend.learn.prelabels.selectors import suggested_by
from backend.learn.prelabels.services import change_choice, push_if_wanted
from codebook.shipped import shipped_path
from learning.prelabel_experiment.values import Condition
from learning.suggestions.answers import suggested_answers
from learning.suggestions.encoding import short_id
from learning.tasks.progress import ProgressWriter
from ml_backend.worker.kinds import work_on
from tests.backend.learn.models.fixtures import folder_of, run
from tests.backend.learn.prelabels.fixtures import Bench, made_items
from tests.label_studio_fake import When

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def _in_line(bench: Bench, batch: Batch, version: str) -> None:
    """Each item of the suggested condition has one prediction of the adapter in service, each blind one none."""
    conditions = bench.conditions(batch)
    can_be_judged = {item.item_id for item in bench.items if item.reply_id}
    for annotator in [share.annotator for share in batch.assignments.select_related("annotator")]:
        for item, versions in bench.versions(batch, annotator).items():
            wanted = conditions[item] is Condition.SUGGESTED and item in can_be_judged
            assert versions == ((version,) if wanted else ()), item
    rows = Suggestion.objects.filter(assigned_item__assignment__batch=batch)
    for row in rows.select_related("assigned_item__item"):
        is_blind = conditions[row.assigned_item.item.item_id] is Condition.BLIND
        assert ((row.shown_at is None), (row.withheld_at is None)) == (is_blind, not is_blind)


def _version(bench: Bench, number: int = 1) -> str:
    return short_id((bench.first if number == 1 else bench.second).adapter_id)


def test_suggestions_are_shown_to_one_condition_and_kept_silent_for_the_other(bench: Bench) -> None:
    batch = bench.batch()
    bench.promote(bench.first)
    job = bench.push(batch)
    assert job.state == "done", job.error
    _in_line(bench, batch, _version(bench))
    conditions = bench.conditions(batch)
    # Ten posts, a fifth of them blind, two items under each
    assert list(conditions.values()).count(Condition.BLIND) == 4
    assert KeptPrediction.objects.count() == 20
    tasks = bench.tasks(batch)
    for kept in KeptPrediction.objects.select_related("item"):
        rows = bench.server.suggested(tasks[kept.item.item_id].id)
        prediction = read_kept(kept)
        if conditions[kept.item.item_id] is Condition.BLIND or prediction is None:
            assert rows == []
        else:
            text = item_text(kept.item)
            expected = suggested_answers(bench.codebook, text, prediction)
            assert decode_results(bench.codebook, text, rows).answers == expected
    assert job.result and "items show what “tfidf-logistic” suggests" in str(job.result["summary"])


def test_what_one_adapter_said_is_never_kept_under_another(bench: Bench) -> None:
    """A job is handed back while a process works for it, and another adapter enters service before it is taken up."""
    batch = bench.batch()
    bench.promote(bench.first)
    job = run(enqueue_push(batch=batch, actor=None, now=bench.clock()))
    folder = folder_of(job, "predict")
    late = work_on(folder, folder.read_request(), ProgressWriter(folder.progress))
    bench.promote(bench.second)
    assert enqueue_push(batch=batch, actor=None, now=bench.clock()) == job
    assert run(job).state == "queued"
    folder.write_result(late)
    after = run(job)
    assert "answered something else" in after.error
    assert not KeptPrediction.objects.exists() and not folder.result.exists()
    assert bench.push(batch).state == "done"
    assert {kept.adapter for kept in KeptPrediction.objects.all()} == {bench.second}


def test_items_of_a_post_share_their_condition_in_every_batch(bench: Bench) -> None:
    first, second = bench.items[::2], bench.items[1::2]
    one, other = bench.batch(items=first), bench.batch(items=second, name="Batch 2", seed=9)
    bench.promote(bench.first)
    for batch in (one, other):
        assert bench.push(batch).state == "done"
    posts = {item.item_id: item.post_id for item in bench.items}
    by_post: dict[str, set[Condition]] = {}
    for batch in (one, other):
        for item, condition in bench.conditions(batch).items():
            by_post.setdefault(posts[item], set()).add(condition)
    assert all(len(conditions) == 1 for conditions in by_post.values())


def test_a_condition_can_never_be_changed(bench: Bench) -> None:
    batch = bench.batch()
    bench.promote(bench.first)
    bench.push(batch)
    with pytest.raises(DatabaseError), transaction.atomic():
        ConditionAssignment.objects.update(condition=Condition.SUGGESTED.value)
    with pytest.raises(DatabaseError), transaction.atomic():
        KeptPrediction.objects.update(content="")
    before = bench.conditions(batch)
    change_choice(
        study=bench.study,
        choice=PrelabelChoice(blind_share=1.0),
        actor=bench.cast.rosa,
        now=bench.clock(),
    )
    bench.push(batch)
    assert bench.conditions(batch) == before


@pytest.mark.parametrize("moment", ["before", "middle", "after"])
@pytest.mark.parametrize("step", ["projects", "task_index", "set_predictions"])
def test_after_a_failure_anywhere_a_rerun_leaves_each_item_with_its_one(
    bench: Bench, step: str, moment: When
) -> None:
    batch = bench.batch(bench.cast.amal, bench.cast.bea, kind=BatchKind.MAIN)
    bench.promote(bench.first)
    bench.server.fail_next(step, moment)
    job = bench.push(batch)
    assert (job.state, "Label Studio" in job.progress_note) == ("queued", True)
    assert bench.push(batch).state == "done"
    _in_line(bench, batch, _version(bench))
    # A second adapter takes over in the same way.
    bench.promote(bench.second)
    bench.server.fail_next(step, moment)
    assert bench.push(batch).state == "queued"
    assert bench.push(batch).state == "done"
    _in_line(bench, batch, _version(bench, 2))
    doubles = Suggestion.objects.values("assigned_item", "prediction").annotate(n=Count("pk")).filter(n__gt=1)
    assert not doubles.exists()


def test_what_was_shown_is_known_even_if_the_answer_was_lost_and_another_took_over(bench: Bench) -> None:
    batch = bench.batch()
    bench.promote(bench.first)
    bench.server.fail_next("set_predictions", "after")
    assert bench.push(batch).state == "queued"
    assert not Suggestion.objects.filter(shown_at__isnull=False).exists()
    bench.promote(bench.second)
    assert bench.push(batch).state == "done"
    _in_line(bench, batch, _version(bench, 2))
    shown = Suggestion.objects.filter(shown_at__isnull=False)
    by_adapter = {
        adapter: set(shown.filter(prediction__adapter=adapter).values_list("assigned_item", flat=True))
        for adapter in (bench.first, bench.second)
    }
    assert by_adapter[bench.first] == by_adapter[bench.second] != set()


def test_what_was_never_shown_leaves_no_row(bench: Bench) -> None:
    batch = bench.batch()
    bench.promote(bench.first)
    bench.server.fail_next("set_predictions", "before")
    assert bench.push(batch).state == "queued"
    assert Suggestion.objects.exists()
    bench.promote(bench.second)
    assert bench.push(batch).state == "done"
    assert {row.prediction.adapter for row in Suggestion.objects.all()} == {bench.second}


def test_work_that_was_begun_is_left_alone(bench: Bench) -> None:
    batch = bench.batch()
    bench.promote(bench.first)
    bench.push(batch)
    suggested = [item for item in bench.items_in(batch, Condition.SUGGESTED) if item.reply_id]
    done, drafted, late = suggested[:3]
    bench.submit(batch, done, Answers((), (), None))
    bench.server.save_draft(bench.tasks(batch)[drafted.item_id].id, [])
    # While the second push is under way, somebody begins one more.
    bench.server.meanwhile(
        "set_predictions", lambda: bench.server.save_draft(bench.tasks(batch)[late.item_id].id, [])
    )
    bench.promote(bench.second)
    assert bench.push(batch).state == "done"
    versions = bench.versions(batch)
    assert {versions[item.item_id] for item in (done, drafted, late)} == {(_version(bench),)}
    assert versions[suggested[3].item_id] == (_version(bench, 2),)
    seconds = Suggestion.objects.filter(prediction__adapter=bench.second)
    assert not seconds.filter(assigned_item__item__in=[done, drafted, late]).exists()


def test_going_back_brings_the_first_ones_suggestions_back(bench: Bench) -> None:
    batch = bench.batch()
    for adapter in (bench.first, bench.second):
        bench.promote(adapter)
        bench.push(batch)
    roll_back(study=bench.study, actor=bench.cast.rosa, now=bench.clock())
    before = KeptPrediction.objects.count()
    assert bench.push(batch).state == "done"
    _in_line(bench, batch, _version(bench))
    assert KeptPrediction.objects.count() == before


def test_without_an_adapter_or_switched_off_suggestions_go(bench: Bench) -> None:
    batch = bench.batch()
    bench.promote(bench.first)
    bench.push(batch)
    off = PrelabelChoice(is_on=False)
    change_choice(study=bench.study, choice=off, actor=bench.cast.rosa, now=bench.clock())
    assert bench.pushes() == 1
    job = bench.push(batch)
    assert (job.state, "switched off" in str(job.result)) == ("done", True)
    assert set(bench.versions(batch).values()) == {()}
    change_choice(study=bench.study, choice=PrelabelChoice(), actor=bench.cast.rosa, now=bench.clock())
    bench.push(batch)
    _in_line(bench, batch, _version(bench))
    retire(adapter=bench.first, actor=bench.cast.rosa, now=bench.clock())
    assert bench.push(batch).state == "done"
    assert set(bench.versions(batch).values()) == {()}
    # What was shown once was shown.
    assert Suggestion.objects.filter(shown_at__isnull=False).exists()


@pytest.mark.parametrize("kind", [BatchKind.PRACTICE, BatchKind.RECHECK, BatchKind.OVERLAP])
def test_practice_and_rechecks_never_and_overlaps_only_if_asked_have_suggestions(
    bench: Bench, kind: BatchKind
) -> None:
    batch = bench.batch(kind=kind)
    bench.promote(bench.first)
    assert bench.pushes() == 0
    assert push_if_wanted(batch=batch, now=bench.clock()) is None
    bench.push(batch)
    assert set(bench.versions(batch).values()) == {()}
    assert not ConditionAssignment.objects.exists()


def test_an_adapter_of_another_edition_suggests_nothing(bench: Bench) -> None:
    bench.promote(bench.first)
    path = shipped_path("epitome")
    other = add_edition(
        study=bench.study,
        source=path.read_text().replace("Communication of empathy", "Empathy"),
        file_name=path.name,
        note="Other themes",
        actor=bench.cast.rosa,
        now=bench.clock(),
    )
    batch = bench.batch(name="Other")
    Batch.objects.filter(pk=batch.pk).update(edition=other)
    batch.refresh_from_db()
    job = bench.push(batch)
    assert "another edition" in str(job.result)
    assert set(bench.versions(batch).values()) == {()}


def test_entering_service_asks_for_a_push_of_every_open_batch_once(bench: Bench) -> None:
    open_one, closed = bench.batch(items=bench.items[:10]), bench.batch(items=bench.items[10:], name="Old")
    close_batch(batch=closed, actor=bench.cast.rosa, now=bench.clock())
    bench.promote(bench.first)
    bench.promote(bench.second)
    assert bench.pushes() == 1
    bench.push(open_one)
    assert set(bench.versions(closed).values()) == {()}


def test_items_that_change_hands_keep_their_condition_and_get_their_suggestion(bench: Bench) -> None:
    batch = bench.batch()
    bench.promote(bench.first)
    bench.push(batch)
    conditions = bench.conditions(batch)
    reassign_items(
        batch=batch,
        annotator=bench.cast.amal,
        to=[bench.cast.bea],
        actor=bench.cast.rosa,
        now=bench.clock(),
        n=9,
    )
    bench.bring_in_line(batch)
    assert push_if_wanted(batch=batch, now=bench.clock()) is not None
    assert bench.push(batch).state == "done"
    assert bench.conditions(batch) == conditions
    assert len(bench.versions(batch, bench.cast.bea)) == 9
    _in_line(bench, batch, _version(bench))


def test_only_suggestions_that_came_before_a_judgment_count_against_it(bench: Bench) -> None:
    batch = bench.batch()
    early, *_ = [item for item in bench.items if item.reply_id]
    answers = bench.nothing_found(early)
    bench.submit(batch, early, answers)
    bench.later(minutes=5)
    bench.promote(bench.first)
    bench.push(batch)
    bench.later(minutes=5)
    suggested = [
        item for item in bench.items_in(batch, Condition.SUGGESTED) if item.reply_id and item != early
    ]
    blind = [item for item in bench.items_in(batch, Condition.BLIND) if item.reply_id and item != early]
    for item in (suggested[0], blind[0]):
        bench.submit(batch, item, bench.nothing_found(item))
    bench.poll()
    assert suggested_by(bench.study) == {suggested[0].pk: (bench.first.adapter_id,)}


def test_new_items_are_predicted_and_old_ones_not_again(bench: Bench) -> None:
    batch = bench.batch(items=bench.items[:6])
    bench.promote(bench.first)
    bench.push(batch)
    made = {kept.pk for kept in KeptPrediction.objects.all()}
    more = made_items(bench.study, 4, start=40)
    other = bench.batch(items=more, name="Batch 2")
    bench.push(other)
    assert KeptPrediction.objects.filter(pk__in=made).count() == 6
    assert KeptPrediction.objects.count() == 10
