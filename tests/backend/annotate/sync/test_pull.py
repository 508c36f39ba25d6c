"""What annotators do arrives whole, once, and told apart; webhooks and clocks may be as bad as they like."""

from __future__ import annotations

from datetime import timedelta

import pytest

from backend.annotate.discussions.models import Discussion
from backend.annotate.judgments.models import AnnotationVersion, Quarantined, Submission
from backend.annotate.sync.models import Project
from backend.annotate.sync.polling import poll_project, read_after_webhook
from backend.annotate.sync.pull import NOTHING, pull_changes
from tests.backend.annotate.sync.sync_bench import Bench

ADVICE, EMOTIONS = "asking-advice", "sharing-emotions"


@pytest.fixture
def pushed(bench: Bench) -> Bench:
    bench.push()
    return bench


def test_a_submission_arrives(pushed: Bench) -> None:
    amal, item = pushed.work.cast.amal, pushed.work.items[0]
    pushed.submit(amal, item, ADVICE, flag="Not sure")
    assert pushed.poll().versions == 1
    assert pushed.judged(amal) == {item.item_id: {ADVICE}}
    assert pushed.judged(pushed.work.cast.bea) == {}
    assert Discussion.objects.get().comment == "Not sure"
    assert pushed.poll() == NOTHING


def test_edit_skip_unskip_and_delete_are_told_apart(pushed: Bench) -> None:
    amal, item = pushed.work.cast.amal, pushed.work.items[0]
    annotation = pushed.submit(amal, item, ADVICE)
    pushed.poll()
    pushed.server.change(annotation, pushed.results(item, EMOTIONS))
    pushed.poll()
    assert pushed.judged(amal) == {item.item_id: {EMOTIONS}}
    assert Submission.objects.get().edits == 1
    pushed.server.change(annotation, [], skipped=True)
    pushed.poll()
    assert pushed.judged(amal) == {}
    assert Submission.objects.get().state == "skipped"
    pushed.server.change(annotation, pushed.results(item, ADVICE))
    pushed.poll()
    assert pushed.judged(amal) == {item.item_id: {ADVICE}}
    pushed.server.delete_annotation(annotation)
    pushed.poll()
    assert not Submission.objects.exists()
    changes = AnnotationVersion.objects.order_by("pk").values_list("change", flat=True)
    assert list(changes) == ["submitted", "submitted", "skipped", "submitted", "deleted"]


def test_drafts_and_predictions_are_no_submissions(pushed: Bench) -> None:
    amal, item = pushed.work.cast.amal, pushed.work.items[0]
    task = pushed.tasks(amal)[item.item_id][0]
    pushed.server.save_draft(task, pushed.results(item, ADVICE))
    guess = pushed.server.import_prediction(task, pushed.results(item, ADVICE))
    pushed.later(minutes=10)
    assert pushed.poll() == NOTHING
    assert not AnnotationVersion.objects.exists()
    assert pushed.project(amal).drafts_there == 1
    pushed.server.submit(task, pushed.account(amal), pushed.results(item, ADVICE), prediction_id=guess)
    pushed.poll()
    assert Submission.objects.get().from_prediction


def test_a_change_that_was_slow_to_commit_is_not_missed(pushed: Bench) -> None:
    amal, bea = pushed.work.cast.amal, pushed.work.cast.bea
    pushed.later(minutes=2)
    pushed.submit(amal, pushed.work.items[0], ADVICE)
    pushed.poll()
    with pushed.server.slow_to_commit(timedelta(seconds=50)):
        pushed.submit(amal, pushed.work.items[1], EMOTIONS)
    pushed.poll()
    assert len(pushed.judged(amal)) == 2
    assert pushed.judged(bea) == {}


def test_once_all_is_quiet_nothing_is_read_twice(pushed: Bench) -> None:
    amal = pushed.work.cast.amal
    pushed.submit(amal, pushed.work.items[0], ADVICE)
    pushed.poll()
    pushed.later(seconds=61)
    pushed.poll()
    project = pushed.project(amal)
    assert project.read_up_to == project.newest_change
    assert list(pushed.server.changed_tasks(pushed.number(amal), after=project.read_up_to)) == []


def test_what_the_reading_point_missed_is_found_by_counting(pushed: Bench) -> None:
    """A change that is older than the reading point by more than we allow for."""
    amal = pushed.work.cast.amal
    pushed.later(hours=1)
    pushed.submit(amal, pushed.work.items[0], ADVICE)
    pushed.poll()
    pushed.later(minutes=2)
    pushed.poll()
    with pushed.server.slow_to_commit(timedelta(minutes=30)):
        pushed.submit(amal, pushed.work.items[1], EMOTIONS)
    pushed.later(minutes=5)
    pushed.poll()
    assert len(pushed.judged(amal)) == 2


def test_a_task_deleted_by_hand_takes_its_judgments_along(pushed: Bench) -> None:
    amal, item = pushed.work.cast.amal, pushed.work.items[0]
    pushed.submit(amal, item, ADVICE)
    pushed.poll()
    pushed.server.delete_task(pushed.tasks(amal)[item.item_id][0])
    pushed.later(minutes=5)
    pushed.poll()
    assert pushed.judged(amal) == {}
    assert AnnotationVersion.objects.filter(change="deleted").count() == 1


@pytest.mark.parametrize(
    "step", ["projects", "latest_change", "changed_tasks", "annotation_exists", "task_index"]
)
def test_a_failure_while_reading_loses_nothing(pushed: Bench, step: str) -> None:
    amal = pushed.work.cast.amal
    first = pushed.submit(amal, pushed.work.items[0], ADVICE)
    pushed.poll()
    pushed.server.delete_annotation(first)
    for item in pushed.work.items[1:5]:
        pushed.submit(amal, item, EMOTIONS)
    for moment in ("before", "middle", "after"):
        pushed.server.fail_next(step, moment)
    for _ in range(4):
        pushed.poll()
    assert pushed.judged(amal) == {item.item_id: {EMOTIONS} for item in pushed.work.items[1:5]}
    assert AnnotationVersion.objects.count() == 6
    assert {project.poll_error for project in Project.objects.all()} == {""}


def test_a_server_that_does_not_answer_is_named_on_the_project(pushed: Bench) -> None:
    pushed.server.fail_next("projects")
    pushed.poll()
    assert all(project.poll_error for project in Project.objects.all())
    pushed.poll()
    assert not any(project.poll_error for project in Project.objects.all())


def test_a_reading_that_began_earlier_and_ends_later_does_no_harm(pushed: Bench) -> None:
    """Two workers read at once; the one with the old picture comes last."""
    amal, item = pushed.work.cast.amal, pushed.work.items[0]
    annotation = pushed.submit(amal, item, ADVICE)
    old = pushed.project(amal)
    picture = list(pushed.server.changed_tasks(pushed.number(amal), after=None))
    pushed.server.change(annotation, pushed.results(item, EMOTIONS))
    second = pushed.submit(amal, pushed.work.items[1], ADVICE)
    pushed.poll()
    changed_tasks = pushed.server.changed_tasks
    pushed.server.changed_tasks = lambda project_id, *, after: iter(picture)  # type: ignore[method-assign]
    pull_changes(old, pushed.server, now=pushed.clock())
    pushed.server.changed_tasks = changed_tasks  # type: ignore[method-assign]
    assert pushed.judged(amal) == {item.item_id: {EMOTIONS}, pushed.work.items[1].item_id: {ADVICE}}
    assert second not in AnnotationVersion.objects.filter(change="deleted").values_list(
        "annotation_id", flat=True
    )


def test_another_person_s_and_a_second_annotation_are_quarantined(pushed: Bench) -> None:
    amal, bea, item = pushed.work.cast.amal, pushed.work.cast.bea, pushed.work.items[0]
    task = pushed.tasks(amal)[item.item_id][0]
    pushed.server.submit(task, pushed.account(bea), pushed.results(item, ADVICE))
    pushed.submit(amal, item, EMOTIONS)
    pushed.submit(amal, item, ADVICE)
    pushed.poll()
    kinds = sorted(row.problems[0]["kind"] for row in Quarantined.objects.all())
    assert kinds == ["second-annotation", "wrong-annotator"]
    assert pushed.judged(amal) == {item.item_id: {EMOTIONS}}


def test_a_removed_member_loses_the_seat_at_the_next_look(pushed: Bench) -> None:
    amal = pushed.work.cast.amal
    amal.memberships.all().delete()
    pushed.poll()
    assert not pushed.server.seats[pushed.number(amal)].is_open
    assert pushed.server.seats[pushed.number(pushed.work.cast.bea)].is_open


def test_an_unknown_project_is_marked_gone(pushed: Bench) -> None:
    project = pushed.project(pushed.work.cast.amal)
    poll_project(project, pushed.server, [], clock=pushed.clock)
    assert pushed.project(pushed.work.cast.amal).state == "gone"


def test_one_project_that_cannot_be_read_does_not_keep_the_others_from_it(pushed: Bench) -> None:
    amal, bea, item = pushed.work.cast.amal, pushed.work.cast.bea, pushed.work.items[0]
    for annotator in (amal, bea):
        pushed.submit(annotator, item, ADVICE)
    pushed.server.fail_next("changed_tasks")
    pushed.poll()
    assert [bool(pushed.judged(annotator)) for annotator in (amal, bea)] == [False, True]
    pushed.poll()
    assert pushed.judged(amal) == {item.item_id: {ADVICE}}


def test_a_webhook_reads_the_newest_alone_and_leaves_the_rest_to_the_next_poll(pushed: Bench) -> None:
    """What was slow to commit lies behind what the webhook has read, and is still found."""
    amal, (first, second, third) = pushed.work.cast.amal, pushed.work.items[:3]
    pushed.later(minutes=2)
    pushed.submit(amal, first, ADVICE)
    for _ in range(2):
        read_after_webhook(pushed.project(amal), pushed.server, clock=pushed.clock)
    before = pushed.project(amal).read_up_to
    with pushed.server.slow_to_commit(timedelta(seconds=50)):
        pushed.submit(amal, second, ADVICE)
    pushed.submit(amal, third, EMOTIONS)
    read_after_webhook(pushed.project(amal), pushed.server, clock=pushed.clock)
    assert sorted(pushed.judged(amal)) == sorted([first.item_id, third.item_id])
    assert pushed.project(amal).read_up_to == before
    pushed.poll()
    assert len(pushed.judged(amal)) == 3
