"""Whatever dies in the middle of a push, running it again leaves each item in Label Studio exactly once."""

from __future__ import annotations

import pytest

from backend.annotate.batches.models import AssignedItem, BatchState
from backend.annotate.judgments.models import Submission
from backend.annotate.label_studio.errors import LabelStudioUnreachable
from backend.annotate.label_studio.values import TaskSeen
from backend.annotate.sync.models import Project, ProjectState
from backend.annotate.sync.push import bring_in_line, surplus_tasks
from backend.annotate.sync.repair import repair_project
from backend.annotate.sync.selectors import project_statuses
from tests.backend.annotate.sync.sync_bench import Bench
from tests.cast import NOW
from tests.label_studio_fake import When

STEPS = (
    "projects",
    "create_project",
    "ensure_webhook",
    "ensure_account",
    "set_seat",
    "import_tasks",
    "task_index",
)
MOMENTS: tuple[When, ...] = ("before", "middle", "after")


def assert_in_line(bench: Bench) -> None:
    wanted = [item.item_id for item in bench.work.items[:5]]
    assert len(bench.server.projects()) == 2
    for annotator in (bench.work.cast.amal, bench.work.cast.bea):
        tasks = bench.tasks(annotator)
        assert sorted(tasks) == sorted(wanted)
        assert all(len(numbers) == 1 for numbers in tasks.values())
        assert len(bench.server.webhooks(bench.number(annotator))) == 1
        assert bench.project(annotator).state == ProjectState.READY


def test_a_push_makes_one_project_for_each_annotator(bench: Bench) -> None:
    bench.push()
    assert_in_line(bench)
    seat = bench.server.seats[bench.number(bench.work.cast.amal)]
    assert (seat.account_id, seat.is_open) == (bench.account(bench.work.cast.amal), True)
    assert seat.return_url.endswith("/studies/kind-words/work")


def test_items_are_there_in_the_order_of_the_share(bench: Bench) -> None:
    bench.push()
    order = [task.item for task in bench.server.task_index(bench.number(bench.work.cast.amal))]
    assert order == [item.item_id for item in bench.work.items[:5]]


def test_a_second_push_changes_nothing(bench: Bench) -> None:
    bench.push()
    before = [bench.tasks(bench.work.cast.amal), bench.tasks(bench.work.cast.bea)]
    bench.push()
    assert_in_line(bench)
    assert [bench.tasks(bench.work.cast.amal), bench.tasks(bench.work.cast.bea)] == before


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("step", STEPS)
def test_after_a_failure_anywhere_a_rerun_leaves_each_item_once(
    bench: Bench, step: str, moment: When
) -> None:
    bench.server.fail_next(step, moment)
    with pytest.raises(LabelStudioUnreachable):
        bench.push()
    bench.push()
    assert_in_line(bench)


def test_a_double_that_nobody_worked_on_goes(bench: Bench) -> None:
    bench.push()
    amal, item = bench.work.cast.amal, bench.work.items[0]
    number = bench.number(amal)
    bench.submit(amal, item, "asking-advice")
    bench.server.import_tasks(number, [{"item": item.item_id}, {"item": "unknown"}])
    bench.push()
    assert_in_line(bench)
    assert [task.annotations for task in bench.server.task_index(number) if task.item == item.item_id] == [1]


def test_work_is_never_surplus() -> None:
    def task(number: int, item: str, annotations: int = 0, drafts: int = 0) -> TaskSeen:
        return TaskSeen(number, item, annotations, 0, drafts, NOW)

    index = [task(1, "a"), task(2, "a", annotations=1), task(3, "b"), task(4, "b"), task(5, "gone", drafts=1)]
    assert surplus_tasks(index, wanted={"a", "b"}) == [1, 4]


def test_items_taken_back_leave_unless_they_were_done(bench: Bench) -> None:
    bench.push()
    amal = bench.work.cast.amal
    bench.submit(amal, bench.work.items[0])
    bench.poll()
    for item in bench.work.items[:2]:
        AssignedItem.objects.filter(assignment=bench.share(amal), item=item).update(taken_back_at=NOW)
    bench.push()
    left = bench.tasks(amal)
    assert bench.work.items[0].item_id in left
    assert bench.work.items[1].item_id not in left
    bench.poll()
    assert Submission.objects.count() == 1


def test_pausing_closes_the_seats_and_resuming_opens_them(bench: Bench) -> None:
    bench.push()
    for state, is_open in ((BatchState.PAUSED, False), (BatchState.OPEN, True)):
        bench.batch.state = state
        bench.batch.save()
        bench.push()
        assert {seat.is_open for seat in bench.server.seats.values()} == {is_open}


def test_a_project_that_vanished_is_made_again_without_what_was_answered(bench: Bench) -> None:
    bench.push()
    amal = bench.work.cast.amal
    bench.submit(amal, bench.work.items[0], "asking-advice")
    bench.poll()
    bench.server.delete_project(bench.number(amal))
    bench.poll()
    assert bench.project(amal).state == ProjectState.GONE
    assert bench.judged(amal) == {bench.work.items[0].item_id: {"asking-advice"}}
    repair_project(bench.project(amal).pk, bench.server, clock=bench.clock, report=lambda done, total: None)
    assert sorted(bench.tasks(amal)) == sorted(item.item_id for item in bench.work.items[1:5])
    assert bench.judged(amal) == {bench.work.items[0].item_id: {"asking-advice"}}
    bench.submit(amal, bench.work.items[1], "sharing-emotions")
    bench.poll()
    assert len(bench.judged(amal)) == 2
    assert [status.needs_repair for status in project_statuses(bench.work.study)] == [False, False]


def test_progress_is_reported(bench: Bench) -> None:
    told: list[tuple[int, int]] = []
    bring_in_line(bench.batch, bench.server, now=NOW, report=lambda done, total: told.append((done, total)))
    assert told[-1] == (10, 10)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert Project.objects.count() == 2


def test_a_new_project_is_read_from_its_first_answer_on(bench: Bench) -> None:
    """Items that nobody was let in to yet are not looked at one by one."""
    bench.push()
    amal = bench.work.cast.amal
    project = bench.project(amal)
    assert list(bench.server.changed_tasks(bench.number(amal), after=project.read_up_to)) == []
    bench.submit(amal, bench.work.items[0], "asking-advice")
    bench.push()
    assert bench.poll().versions == 1
