"""What labelling needs works for the one who has the seat, and for her own work alone."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import httpx
import pytest

from tests.integration.access_people import (
    RESULT,
    RETURN_URL,
    Work,
    new_project,
    owner_client,
    put_seat,
    session_of,
    settle,
    task_ids,
)
from tests.integration.label_studio_server import RunningLabelStudio

pytestmark = pytest.mark.label_studio


@pytest.fixture(scope="module")
def bea(label_studio: RunningLabelStudio) -> Work:
    return settle(label_studio, key="annotator-1012", name="Bea", text="beas-text")


@pytest.fixture(scope="module")
def work(label_studio: RunningLabelStudio) -> Work:
    return settle(label_studio, key="annotator-1011", name="Amal", text="amals-text")


@pytest.fixture
def amal(label_studio: RunningLabelStudio, work: Work) -> Iterator[httpx.Client]:
    with session_of(label_studio, work.user) as session:
        yield session


@pytest.fixture
def owner(label_studio: RunningLabelStudio) -> Iterator[httpx.Client]:
    with owner_client(label_studio) as client:
        yield client


def test_the_page_has_the_bar_and_the_way_back(amal: httpx.Client, work: Work) -> None:
    page = amal.get(f"/projects/{work.project}/data", params={"labeling": 1})
    assert page.status_code == 200
    assert f'href="{RETURN_URL}"' in page.text
    assert "amals-text heading" in page.text
    assert int(page.headers["content-length"]) == len(page.content)


def test_the_list_of_tasks_turns_into_the_stream(amal: httpx.Client, work: Work) -> None:
    answer = amal.get(f"/projects/{work.project}/data")
    assert (answer.status_code, answer.headers["location"]) == (
        302,
        f"/projects/{work.project}/data?labeling=1",
    )


def test_everything_the_page_asks_for_is_answered(amal: httpx.Client, work: Work) -> None:
    project = {"project": str(work.project)}
    for path in ("ml", "label_links", "dm/columns", "dm/views", "dm/project", "users", "tasks"):
        assert amal.get(f"/api/{path}", params=project).status_code == 200, path
    assert amal.get(f"/api/projects/{work.project}").json()["id"] == work.project
    assert amal.get(f"/api/projects/{work.project}/label-stream-history", params=project).status_code == 200
    tab = amal.get("/api/dm/views", params=project).json()[0]
    queue = amal.post(
        "/api/dm/actions", params={**project, "id": "next_task", "tabID": tab["id"]}, json=project
    )
    assert queue.json()["id"] in work.tasks


def test_of_the_people_she_sees_herself(amal: httpx.Client, work: Work, bea: Work) -> None:
    people = amal.get("/api/users", params={"project": work.project}).json()
    assert [person["id"] for person in people] == [work.user]
    columns = amal.get("/api/dm/columns", params={"project": work.project}).json()["columns"]
    listed = {column["id"]: column["schema"] for column in columns if "schema" in column}
    assert listed["annotators"] == listed["updated_by"] == {"items": [work.user]}


def test_an_item_from_draft_to_edit_to_skip_to_deletion(amal: httpx.Client, work: Work) -> None:
    task, project = work.tasks[2], {"project": str(work.project)}
    draft = amal.post(f"/api/tasks/{task}/drafts", params=project, json={"result": [], **project}).json()
    assert amal.patch(f"/api/drafts/{draft['id']}", json={"result": RESULT}).status_code == 200
    body = {"result": RESULT, "draft_id": draft["id"], "unique_id": str(uuid.uuid4()), **project}
    made = amal.post(f"/api/tasks/{task}/annotations", params=project, json=body)
    assert (made.status_code, made.json()["completed_by"]) == (201, work.user)
    own = f"/api/annotations/{made.json()['id']}"
    edit_draft = amal.post(f"/api/tasks/{task}{own.removeprefix('/api')}/drafts", json={"result": []}).json()
    assert amal.delete(f"/api/drafts/{edit_draft['id']}").status_code == 204
    params: dict[str, str | int] = {**project, "taskID": task}
    assert amal.patch(own, params=params, json={"result": [], "lead_time": 9.0}).status_code == 200
    assert amal.patch(own, params=params, json={"was_cancelled": True}).json()["was_cancelled"] is True
    back = amal.post(f"{own}/convert-to-draft", params=project)
    assert back.status_code == 201
    assert amal.delete(f"/api/drafts/{back.json()['id']}").status_code == 204
    again = amal.post(f"/api/tasks/{task}/annotations", json={"result": RESULT}).json()
    assert amal.delete(f"/api/annotations/{again['id']}").status_code == 204


def test_a_closed_seat_shows_a_page_and_nothing_else(
    amal: httpx.Client, owner: httpx.Client, work: Work
) -> None:
    paused = new_project(owner, "paused project", "paused-text")
    put_seat(owner, paused, work.user, is_open=False)
    page = amal.get(f"/projects/{paused}/data?labeling=1", headers={"Accept": "text/html"})
    assert (page.status_code, RETURN_URL in page.text) == (403, True)
    assert "is not open" in page.text
    task = task_ids(owner, paused)[0]
    for path in (f"/api/tasks/{task}", f"/api/projects/{paused}", f"/api/dm/project?project={paused}"):
        assert amal.get(path).status_code == 403
    assert amal.post(f"/api/tasks/{task}/annotations", json={"result": []}).status_code == 403
