"""Label Studio may lose projects, or everything, and give its numbers out again: what was read stays."""

from __future__ import annotations

from contextlib import suppress

from backend.annotate.judgments.models import AnnotationVersion, Quarantined
from backend.annotate.label_studio.errors import LabelStudioUnreachable
from backend.annotate.sync.erasure import erase_projects
from backend.annotate.sync.models import Project, ProjectState
from backend.annotate.sync.polling import poll_project
from backend.annotate.sync.repair import repair_project
from backend.annotate.sync.selectors import project_statuses
from backend.core.accounts.models import User
from backend.operate.monitoring.findings import Level
from backend.operate.monitoring.surroundings import left_projects_finding
from tests.backend.annotate.sync.sync_bench import Bench

ADVICE, EMOTIONS = "asking-advice", "sharing-emotions"


def repair(bench: Bench, annotator: User) -> None:
    pk = bench.project(annotator).pk
    repair_project(pk, bench.server, clock=bench.clock, report=lambda done, total: None)


def answered(bench: Bench) -> dict[str, set[str]]:
    """Amal's and Bea's first items are answered and read."""
    bench.push()
    item = bench.work.items[0]
    for annotator in (bench.work.cast.amal, bench.work.cast.bea):
        bench.submit(annotator, item, ADVICE)
    bench.poll()
    return {item.item_id: {ADVICE}}


def test_a_label_studio_that_was_set_up_afresh_costs_no_answer(bench: Bench) -> None:
    amal, bea = bench.work.cast.amal, bench.work.cast.bea
    before = answered(bench)
    bench.server.set_up_afresh()
    bench.later(minutes=6)
    bench.poll()
    assert {project.state for project in Project.objects.all()} == {ProjectState.GONE}
    for annotator in (bea, amal):
        repair(bench, annotator)
    bench.later(minutes=6)
    bench.poll()
    for annotator in (amal, bea):
        assert bench.judged(annotator) == before
        assert sorted(bench.tasks(annotator)) == sorted(item.item_id for item in bench.work.items[1:5])
        bench.submit(annotator, bench.work.items[1], EMOTIONS)
    bench.poll()
    assert [len(bench.judged(annotator)) for annotator in (amal, bea)] == [2, 2]
    assert not AnnotationVersion.objects.filter(change="deleted").exists()
    assert [status.needs_repair for status in project_statuses(bench.work.study)] == [False, False]


def test_somebody_else_s_project_under_the_number_of_a_lost_one_is_not_read(bench: Bench) -> None:
    amal = bench.work.cast.amal
    before = answered(bench)
    bench.server.set_up_afresh()
    config = "<View><Text name='post' value='$post'/></View>"
    assert bench.server.create_project(title="Theirs", marker="", label_config=config) == bench.number(amal)
    bench.later(minutes=6)
    bench.poll()
    assert bench.project(amal).state == ProjectState.GONE
    assert bench.judged(amal) == before
    assert bench.server.seats == {}


def test_a_look_that_began_before_the_repair_does_not_undo_it(bench: Bench) -> None:
    amal = bench.work.cast.amal
    answered(bench)
    as_it_was = bench.project(amal)
    bench.server.delete_project(bench.number(amal))
    repair(bench, amal)
    poll_project(as_it_was, bench.server, [], clock=bench.clock)
    assert bench.project(amal).state == ProjectState.READY


def test_a_broken_answer_that_vanished_is_asked_for_again_and_the_new_one_counts(bench: Bench) -> None:
    amal, item = bench.work.cast.amal, bench.work.items[0]
    bench.push()
    task = bench.tasks(amal)[item.item_id][0]
    bench.server.submit(
        task, bench.account(amal), [{"from_name": "x", "to_name": "post", "type": "choices", "value": {}}]
    )
    bench.poll()
    bench.server.delete_project(bench.number(amal))
    repair(bench, amal)
    bench.submit(amal, item, EMOTIONS)
    bench.poll()
    assert bench.judged(amal) == {item.item_id: {EMOTIONS}}
    assert not Quarantined.objects.filter(is_fixable=True).exists()


def test_an_answer_under_a_number_that_a_deleted_one_had_counts(bench: Bench) -> None:
    """Label Studio was restored from last night's backup, and counts on from there."""
    amal, item = bench.work.cast.amal, bench.work.items[0]
    bench.push()
    first = bench.submit(amal, item, ADVICE)
    bench.poll()
    bench.server.delete_annotation(first)
    bench.poll()
    bench.server._next_id["annotation"] = iter([first]).__next__
    assert bench.submit(amal, item, EMOTIONS) == first
    bench.poll()
    assert bench.judged(amal) == {item.item_id: {EMOTIONS}}


def test_two_pushes_at_once_leave_one_project_and_read_what_was_done_in_the_other(bench: Bench) -> None:
    amal, item = bench.work.cast.amal, bench.work.items[0]
    project_of = bench.project

    def push_and_work() -> None:
        bench.push()
        bench.submit(amal, item, ADVICE)

    bench.server.meanwhile("create_project", push_and_work)
    bench.push()
    marker = project_of(amal).marker
    there = [seen for seen in bench.server.projects() if seen.marker == marker]
    assert [seen.id for seen in there] == [bench.number(amal)]
    bench.poll()
    assert bench.judged(amal) == {item.item_id: {ADVICE}}


def test_a_double_with_work_in_it_is_closed_and_read_and_one_with_a_draft_is_kept(bench: Bench) -> None:
    amal, bea = bench.work.cast.amal, bench.work.cast.bea
    bench.push()
    doubles = {}
    for annotator in (amal, bea):
        project = bench.server._projects[bench.number(annotator)]
        doubles[annotator] = bench.server.create_project(
            title="Double", marker=project.marker, label_config=project.label_config
        )
        bench.server.import_tasks(doubles[annotator], [{"item": bench.work.items[4].item_id}])
        bench.submit(annotator, bench.work.items[0], ADVICE)
    (task,) = bench.server.task_index(doubles[amal])
    bench.server.submit(task.id, bench.account(amal), bench.results(bench.work.items[4], EMOTIONS))
    (task,) = bench.server.task_index(doubles[bea])
    bench.server.save_draft(task.id, [])
    bench.push()
    bench.poll()
    assert bench.judged(amal) == {
        bench.work.items[0].item_id: {ADVICE},
        bench.work.items[4].item_id: {EMOTIONS},
    }
    bench.later(minutes=6)
    as_read = bench.project(amal).read_whole_at
    bench.poll()
    assert bench.project(amal).read_whole_at == as_read, "the double's work made the count disagree"
    assert set(doubles.values()) <= {seen.id for seen in bench.server.projects()}
    assert set(doubles.values()).isdisjoint(bench.server.seats)


def test_a_push_overtaken_after_a_fresh_set_up_leaves_one_open_project_for_each(bench: Bench) -> None:
    """The list of the slower one is old when it comes to the share of the second annotator."""
    bench.push()
    bench.server.set_up_afresh()
    bench.server.meanwhile("import_tasks", bench.push)
    bench.push()
    annotators = (bench.work.cast.amal, bench.work.cast.bea)
    for annotator in annotators:
        for number in bench.open_projects(annotator):
            answer_there(bench, number, annotator)
        assert bench.open_projects(annotator) == [bench.number(annotator)]
    bench.later(minutes=6)
    bench.poll()
    for annotator in annotators:
        assert bench.judged(annotator) == {bench.work.items[0].item_id: {EMOTIONS}}


def left_open(bench: Bench, annotator: User, *, suffix: str = ".left") -> int:
    """A project of the annotator's share that Attune does not remember, with its items and open."""
    number = bench.number(annotator)
    project, seat = bench.server._projects[number], bench.server.seats[number]
    left = bench.server.create_project(
        title="Left", marker=f"{project.marker}{suffix}", label_config=project.label_config
    )
    bench.server.import_tasks(left, [{"item": bench.work.items[place].item_id} for place in (0, 4)])
    bench.server.seats[left] = seat
    return left


def answer_there(bench: Bench, number: int, annotator: User) -> None:
    task, *_ = bench.server.task_index(number)
    results = bench.results(bench.work.items[0], EMOTIONS)
    bench.server.submit(task.id, bench.account(annotator), results)


def test_what_is_done_in_a_project_that_nobody_remembers_is_read_by_the_next_count(bench: Bench) -> None:
    amal, bea = bench.work.cast.amal, bench.work.cast.bea
    bench.push()
    lefts = {annotator: left_open(bench, annotator) for annotator in (amal, bea)}
    answer_there(bench, lefts[amal], amal)
    bench.later(minutes=6)
    bench.poll()
    assert bench.judged(amal) == {bench.work.items[0].item_id: {EMOTIONS}}
    for annotator in (amal, bea):
        assert bench.open_projects(annotator) == [bench.number(annotator)]
    there = {seen.id for seen in bench.server.projects()}
    assert lefts[amal] in there
    assert lefts[bea] not in there, "nobody had begun there"


def test_a_project_that_nobody_remembers_is_adopted_where_the_share_s_own_is_gone(bench: Bench) -> None:
    amal = bench.work.cast.amal
    bench.push()
    left = left_open(bench, amal)
    answer_there(bench, left, amal)
    bench.server.delete_project(bench.number(amal))
    bench.poll()
    assert bench.judged(amal) == {bench.work.items[0].item_id: {EMOTIONS}}
    assert bench.project(amal).state == ProjectState.GONE
    bench.push()
    assert bench.number(amal) == left
    assert bench.open_projects(amal) == [left]
    assert sorted(bench.tasks(amal)) == sorted(item.item_id for item in bench.work.items[:5])


def test_a_project_that_comes_back_with_a_restored_label_studio_is_read_again(bench: Bench) -> None:
    amal = bench.work.cast.amal
    bench.push()
    number = bench.number(amal)
    lost = bench.server._projects.pop(number)
    bench.poll()
    assert bench.project(amal).state == ProjectState.GONE
    bench.server._projects[number] = lost
    bench.submit(amal, bench.work.items[0], ADVICE)
    bench.later(minutes=6)
    bench.poll()
    assert bench.project(amal).state == ProjectState.READY
    assert bench.judged(amal) == {bench.work.items[0].item_id: {ADVICE}}
    assert bench.open_projects(amal) == [number]


def test_what_is_done_after_a_push_that_died_with_the_seat_open_is_read(bench: Bench) -> None:
    amal, bea = bench.work.cast.amal, bench.work.cast.bea
    bench.push()
    bench.server.set_up_afresh()
    bench.server.fail_next("set_seat", "after")
    with suppress(LabelStudioUnreachable):
        bench.push()
    (number,) = bench.open_projects(amal)
    answer_there(bench, number, amal)
    bench.later(minutes=6)
    bench.poll()
    assert bench.judged(amal) == {bench.work.items[0].item_id: {EMOTIONS}}
    assert bench.open_projects(amal) == [bench.number(amal)] == [number]
    assert bench.open_projects(bea) == []


def test_a_push_that_was_overtaken_and_dies_leaves_no_open_project_unread(bench: Bench) -> None:
    """It knows the share as it was before the other push made it ready."""
    amal = bench.work.cast.amal
    bench.push()
    bench.server.set_up_afresh()

    def overtake() -> None:
        bench.push()
        bench.server.fail_next("update_project")

    bench.server.meanwhile("create_project", overtake)
    with suppress(LabelStudioUnreachable):
        bench.push()
    for number in bench.open_projects(amal):
        answer_there(bench, number, amal)
    assert bench.open_projects(amal)
    bench.later(minutes=6)
    bench.poll()
    assert bench.judged(amal) == {bench.work.items[0].item_id: {EMOTIONS}}
    assert bench.project(amal).state == ProjectState.READY


def test_a_double_with_the_very_marker_is_closed_and_read_by_the_next_count(bench: Bench) -> None:
    amal = bench.work.cast.amal
    bench.push()
    double = left_open(bench, amal, suffix="")
    answer_there(bench, double, amal)
    bench.later(minutes=6)
    bench.poll()
    assert bench.judged(amal) == {bench.work.items[0].item_id: {EMOTIONS}}
    assert bench.open_projects(amal) == [bench.number(amal)] != [double]


def test_of_several_left_projects_of_a_lost_one_only_one_stays_open(bench: Bench) -> None:
    amal = bench.work.cast.amal
    bench.push()
    lefts = [left_open(bench, amal, suffix=suffix) for suffix in ("", ".one", ".two")]
    for left in lefts:
        answer_there(bench, left, amal)
    bench.server.delete_project(bench.number(amal))
    bench.poll()
    assert bench.project(amal).state == ProjectState.GONE
    assert bench.judged(amal) == {bench.work.items[0].item_id: {EMOTIONS}}
    assert AnnotationVersion.objects.count() == len(lefts)
    assert len(bench.open_projects(amal)) == 1
    bench.push()
    assert bench.open_projects(amal) == [bench.number(amal)]
    assert bench.number(amal) in lefts


def test_both_days_are_read_after_two_fresh_set_ups_with_an_overtaken_push_each(bench: Bench) -> None:
    annotators = (bench.work.cast.amal, bench.work.cast.bea)
    bench.push()
    for day, during in enumerate(("import_tasks", "create_project")):
        bench.server.set_up_afresh()
        bench.server.meanwhile(during, bench.push)
        bench.push()
        for annotator in annotators:
            for number in bench.open_projects(annotator):
                item = bench.work.items[day]
                task = next(task for task in bench.server.task_index(number) if task.item == item.item_id)
                bench.server.submit(task.id, bench.account(annotator), bench.results(item, EMOTIONS))
        bench.later(minutes=6)
        bench.poll()
        wanted = {item.item_id: {EMOTIONS} for item in bench.work.items[: day + 1]}
        for annotator in annotators:
            assert bench.open_projects(annotator) == [bench.number(annotator)]
            assert bench.judged(annotator) == wanted


def test_what_answers_came_from_is_erased_although_no_row_knows_its_marker(bench: Bench) -> None:
    answered(bench)
    seen = AnnotationVersion.objects.filter(assignment=bench.share(bench.work.cast.amal)).first()
    assert seen is not None
    Project.objects.filter(marker=seen.project_marker).update(marker="attune:another")
    theirs = bench.server.create_project(title="Theirs", marker="", label_config="<View/>")
    erase_projects(bench.work.study, bench.server)
    assert [left.id for left in bench.server.projects()] == [theirs]


def test_a_project_of_ours_that_no_batch_knows_is_told(bench: Bench) -> None:
    amal = bench.work.cast.amal
    answered(bench)
    bench.server.create_project(title="Theirs", marker="theirs", label_config="<View/>")
    left_open(bench, amal)
    assert left_projects_finding(bench.server).level is Level.OK, "the next count reads that one"
    config = bench.server._projects[bench.number(amal)].label_config
    number = bench.server.create_project(title="Newer", marker="attune:newer", label_config=config)
    bench.server.import_tasks(number, [{"item": bench.work.items[0].item_id}])
    answer_there(bench, number, amal)
    finding = left_projects_finding(bench.server)
    assert finding.level is Level.WARNING
    assert finding.says.startswith("1 that Attune made belong to no batch here, and 1 answers in them")
    assert f"(projects {number})" in finding.says
    bench.server.fail_next("projects")
    assert left_projects_finding(bench.server).level is Level.WARNING
