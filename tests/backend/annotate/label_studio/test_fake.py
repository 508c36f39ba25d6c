"""What the Label Studio in memory adds for tests: faults, webhooks, a clock; the contract holds its behaviour."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from backend.annotate.label_studio.errors import LabelStudioUnreachable
from backend.annotate.label_studio.server import LabelStudioServer
from tests.label_studio_fake import FakeLabelStudio, When
from tests.label_studio_rows import WebhookCall

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def fake() -> FakeLabelStudio:
    return FakeLabelStudio(now=NOON, page=2)


@pytest.fixture
def project(fake: FakeLabelStudio) -> int:
    made = fake.create_project(title="Fake", marker="m", label_config="<View/>")
    fake.import_tasks(made, [{"item": f"item-{number}"} for number in range(5)])
    return made


def test_it_is_a_server(fake: FakeLabelStudio) -> None:
    server: LabelStudioServer = fake
    assert server.projects() == []


@pytest.mark.parametrize(("when", "there"), [("before", 5), ("middle", 7), ("after", 9)])
def test_an_import_that_gets_no_answer_may_have_been_done(
    fake: FakeLabelStudio, project: int, when: When, there: int
) -> None:
    fake.fail_next("import_tasks", when)
    with pytest.raises(LabelStudioUnreachable):
        fake.import_tasks(project, [{"item": f"more-{number}"} for number in range(4)])
    assert len(fake.task_index(project)) == there
    fake.import_tasks(project, [{"item": "last"}])
    assert len(fake.task_index(project)) == there + 1


def test_a_project_whose_making_got_no_answer_is_there(fake: FakeLabelStudio) -> None:
    fake.fail_next("create_project", "after")
    fake.fail_next("create_project")
    for _ in range(2):
        with pytest.raises(LabelStudioUnreachable):
            fake.create_project(title="Lost", marker="lost", label_config="<View/>")
    assert [project.marker for project in fake.projects()] == ["lost"]


@pytest.mark.parametrize(("when", "read"), [("before", 0), ("middle", 2), ("after", 5)])
def test_a_listing_can_break_off(fake: FakeLabelStudio, project: int, when: When, read: int) -> None:
    fake.fail_next("changed_tasks", when)
    seen = []
    with pytest.raises(LabelStudioUnreachable):
        for task in fake.changed_tasks(project, after=None):
            seen.append(task.id)
    assert len(seen) == read
    assert len(list(fake.changed_tasks(project, after=None))) == 5


@pytest.mark.parametrize("method", ["projects", "task_index", "latest_change", "annotation_exists"])
def test_reading_can_fail_too(fake: FakeLabelStudio, project: int, method: str) -> None:
    calls: dict[str, Callable[[], object]] = {
        "projects": lambda: fake.projects(),
        "task_index": lambda: fake.task_index(project),
        "latest_change": lambda: fake.latest_change(project),
        "annotation_exists": lambda: fake.annotation_exists(1),
    }
    fake.fail_next(method)
    with pytest.raises(LabelStudioUnreachable):
        calls[method]()
    calls[method]()


def test_each_write_of_an_annotator_is_told_once_per_webhook(fake: FakeLabelStudio, project: int) -> None:
    task = fake.task_index(project)[0].id
    fake.submit(task, 2, [])
    assert fake.calls == []
    fake.ensure_webhook(project, url="http://attune/webhook", secret="s")
    heard: list[str] = []
    fake.listener = lambda webhook: heard.append(webhook.action)
    number = fake.submit(task, 2, [])
    fake.change(number, [])
    fake.save_draft(task, [])
    fake.import_prediction(task, [])
    fake.delete_annotation(number)
    assert heard == ["ANNOTATION_CREATED", "ANNOTATION_UPDATED", "ANNOTATIONS_DELETED"]
    assert [webhook.action for webhook in fake.calls] == heard
    assert fake.calls[0] == WebhookCall("ANNOTATION_CREATED", project, "http://attune/webhook", "s")


def test_a_slow_commit_appears_behind_what_is_already_seen(fake: FakeLabelStudio, project: int) -> None:
    first, second = fake.task_index(project)[:2]
    fake.now += timedelta(seconds=10)
    fake.submit(first.id, 2, [])
    newest = fake.latest_change(project)
    assert newest is not None
    with fake.slow_to_commit(timedelta(seconds=5)):
        fake.submit(second.id, 2, [])
    assert list(fake.changed_tasks(project, after=newest)) == []
    late = {task.id for task in fake.changed_tasks(project, after=newest - timedelta(seconds=6))}
    assert late == {first.id, second.id}


def test_the_clock_is_the_tests_own(fake: FakeLabelStudio, project: int) -> None:
    fake.now = NOON + timedelta(days=1)
    fake.submit(fake.task_index(project)[0].id, 2, [])
    newest = fake.latest_change(project)
    assert newest is not None
    assert NOON + timedelta(days=1) < newest < NOON + timedelta(days=1, seconds=1)


def test_seats_and_names_can_be_looked_at(fake: FakeLabelStudio, project: int) -> None:
    amal = fake.ensure_account(key="annotator-1", name="Amal")
    fake.set_seat(project, account_id=amal.id, is_open=False, return_url="http://attune/", heading="Work")
    seat = fake.seats[project]
    assert (seat.account_id, seat.is_open, fake.names[amal.id]) == (amal.id, False, "Amal")
    fake.remove_seat(project)
    assert fake.seats == {}
