"""What pushing relies on, asked of the Label Studio in memory and of a running one alike."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backend.annotate.label_studio.errors import LabelStudioRefused, ProjectGone
from backend.annotate.label_studio.server import LabelStudioServer
from backend.annotate.label_studio.values import Account, ProjectSeen
from tests.integration import label_studio_contract as contract
from tests.integration.label_studio_contract import CONFIG, NO_PROJECT, TEXTS, LabelStudio, Work, ticked
from tests.label_studio_rows import Webhook

# pytest looks for fixtures here
studio, work = contract.studio, contract.work


def test_a_project_is_found_by_its_marker_and_says_what_it_holds(work: Work) -> None:
    work.studio.people.submit(work.tasks["item-a"], work.amal.id, ticked("thanks"))
    work.studio.people.skip(work.tasks["item-b"], work.amal.id)
    assert work.seen() == ProjectSeen(work.project, "Contract", work.marker, 3, 1, 1)


def test_making_a_project_twice_makes_two(work: Work) -> None:
    again = work.studio.server.create_project(title="Contract", marker=work.marker, label_config=CONFIG)
    found = [one.id for one in work.studio.server.projects() if one.marker == work.marker]
    assert sorted(found) == sorted({work.project, again})
    work.studio.server.delete_project(again)
    assert work.seen().id == work.project


def test_titles_of_any_length_are_made_to_fit(work: Work) -> None:
    work.studio.server.update_project(work.project, title="long " * 30, label_config=CONFIG)
    assert work.seen().title.startswith("long long")
    work.studio.server.update_project(work.project, title="A", label_config=CONFIG)
    assert work.seen().title.startswith("A")


def test_a_broken_config_is_refused_without_quoting_it(studio: LabelStudio) -> None:
    with pytest.raises(LabelStudioRefused, match="label_config") as refused:
        studio.server.create_project(title="Broken", marker="attune:broken", label_config="<View><secret")
    assert refused.value.status == 400
    assert "secret" not in str(refused.value)


def test_imported_tasks_are_in_the_index_in_their_order(work: Work) -> None:
    index = work.studio.server.task_index(work.project)
    assert [task.item for task in index] == list(TEXTS)
    assert [task.id for task in index] == sorted(task.id for task in index)
    assert {(task.annotations, task.skipped, task.drafts) for task in index} == {(0, 0, 0)}


def test_importing_twice_makes_every_task_double(work: Work) -> None:
    work.studio.server.import_tasks(work.project, [{"item": "item-a", "post": "Thank you 🙂 so much"}])
    assert [task.item for task in work.studio.server.task_index(work.project)].count("item-a") == 2


def test_importing_nothing_does_nothing(work: Work) -> None:
    work.studio.server.import_tasks(work.project, [])
    assert work.seen().tasks == 3


def test_a_new_config_and_a_deleted_task_move_no_other_task(work: Work) -> None:
    before = work.newest()
    work.studio.server.update_project(work.project, title="Renamed", label_config=CONFIG)
    work.studio.people.delete_task(work.tasks["item-a"])
    assert work.read(after=before) == {}
    assert list(work.index()) == ["item-b", "item-c"]
    assert work.seen().title == "Renamed"


def test_only_tasks_that_nobody_has_annotated_are_deleted(work: Work) -> None:
    people, tasks = work.studio.people, work.tasks
    people.submit(tasks["item-a"], work.amal.id, ticked("thanks"))
    people.skip(tasks["item-b"], work.amal.id)
    ids = [*tasks.values(), NO_PROJECT]
    assert work.studio.server.delete_unannotated_tasks(work.project, ids) == {tasks["item-c"]}
    assert list(work.index()) == ["item-a", "item-b"]
    assert work.studio.server.delete_unannotated_tasks(work.project, ids) == frozenset()


def test_tasks_of_another_project_are_not_deleted(work: Work) -> None:
    other = work.studio.server.create_project(title="Other", marker="attune:other", label_config=CONFIG)
    assert work.studio.server.delete_unannotated_tasks(other, list(work.tasks.values())) == frozenset()
    assert work.seen().tasks == 3
    work.studio.server.delete_project(other)


def test_accounts_are_made_once(work: Work) -> None:
    again = work.studio.server.ensure_account(key="annotator-1", name="Another name")
    assert again == work.amal == Account(work.amal.id, "annotator-1@attune.local")
    assert work.bea.id != work.amal.id


def test_a_seat_can_be_set_and_taken_away_any_number_of_times(work: Work) -> None:
    for account, is_open in ((work.amal, True), (work.amal, True), (work.bea, False)):
        work.studio.server.set_seat(
            work.project,
            account_id=account.id,
            is_open=is_open,
            return_url="http://127.0.0.1:1/",
            heading="Work",
        )
    for _ in range(2):
        work.studio.server.remove_seat(work.project)


def test_a_seat_for_nobody_is_refused(work: Work) -> None:
    with pytest.raises(LabelStudioRefused):
        work.studio.server.set_seat(
            work.project, account_id=NO_PROJECT, is_open=True, return_url="http://127.0.0.1:1/", heading=""
        )


def test_a_project_has_exactly_one_webhook_of_ours(work: Work) -> None:
    for url, secret in (("http://127.0.0.1:9/old", "s1"), ("http://127.0.0.1:9/new", "s2")):
        for _ in range(2):
            work.studio.server.ensure_webhook(work.project, url=url, secret=secret)
            assert work.studio.people.webhooks(work.project) == [Webhook(url, secret)]
    work.studio.people.add_webhook(work.project, Webhook("http://127.0.0.1:9/stray", "s0"))
    work.studio.server.ensure_webhook(work.project, url="http://127.0.0.1:9/new", secret="s2")
    assert work.studio.people.webhooks(work.project) == [Webhook("http://127.0.0.1:9/new", "s2")]


def test_deleting_a_project_takes_its_annotations_along(work: Work) -> None:
    number = work.studio.people.submit(work.tasks["item-a"], work.amal.id, ticked("thanks"))
    work.studio.server.delete_project(work.project)
    assert not work.studio.server.annotation_exists(number)
    assert work.marker not in {one.marker for one in work.studio.server.projects()}


CALLS: dict[str, Callable[[LabelStudioServer], object]] = {
    "update_project": lambda server: server.update_project(NO_PROJECT, title="None", label_config=CONFIG),
    "delete_project": lambda server: server.delete_project(NO_PROJECT),
    "ensure_webhook": lambda server: server.ensure_webhook(NO_PROJECT, url="http://127.0.0.1:9/", secret="s"),
    "set_seat": lambda server: server.set_seat(
        NO_PROJECT, account_id=1, is_open=True, return_url="http://127.0.0.1:1/", heading=""
    ),
    "remove_seat": lambda server: server.remove_seat(NO_PROJECT),
    "import_tasks": lambda server: server.import_tasks(NO_PROJECT, [{"item": "a", "post": "b"}]),
    "task_index": lambda server: server.task_index(NO_PROJECT),
    "delete_unannotated_tasks": lambda server: server.delete_unannotated_tasks(NO_PROJECT, [1]),
    "latest_change": lambda server: server.latest_change(NO_PROJECT),
    "changed_tasks": lambda server: list(server.changed_tasks(NO_PROJECT, after=None)),
}


@pytest.mark.parametrize("method", CALLS)
def test_a_project_that_is_gone_is_named(studio: LabelStudio, method: str) -> None:
    with pytest.raises(ProjectGone) as gone:
        CALLS[method](studio.server)
    assert gone.value.project_id == NO_PROJECT
