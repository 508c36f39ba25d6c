"""What labelling needs works for the one who has the seat, and for her own work alone."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import httpx
import pytest

from tests.integration.gate_people import (
    RESULT,
    RETURN_URL,
    Work,
    new_account,
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
    queue = amal.post(
        "/api/dm/actions", params={**project, "id": "next_task", "tabID": work.view}, json=project
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
    params = {**project, "taskID": task}
    assert amal.patch(own, params=params, json={"result": [], "lead_time": 9.0}).status_code == 200
    assert amal.patch(own, params=params, json={"was_cancelled": True}).json()["was_cancelled"] is True
    back = amal.post(f"{own}/convert-to-draft", params=project)
    assert back.status_code == 201
    assert amal.delete(f"/api/drafts/{back.json()['id']}").status_code == 204
    again = amal.post(f"/api/tasks/{task}/annotations", json={"result": RESULT}).json()
    assert amal.delete(f"/api/annotations/{again['id']}").status_code == 204


@pytest.mark.parametrize(
    "trick",
    [
        {"completed_by": "bea.user"},
        {"task": "bea.task"},
        {"project": "bea.project"},
        {"draft_id": "bea.draft"},
        {"parent_annotation": "bea.annotation"},
        {"parent_prediction": "bea.prediction"},
        {"ground_truth": True},
        {"unique_id": "not-a-uuid"},
        {"updated_by": "bea.user"},
        {"import_id": 7},
    ],
    ids=lambda trick: next(iter(trick)),
)
def test_no_field_of_a_body_reaches_beyond_her_work(
    amal: httpx.Client, work: Work, bea: Work, trick: dict[str, object]
) -> None:
    known = {
        "bea.user": bea.user,
        "bea.task": bea.tasks[0],
        "bea.project": bea.project,
        "bea.draft": bea.draft,
        "bea.annotation": bea.annotation,
        "bea.prediction": bea.prediction,
    }
    body = {
        name: known.get(value, value) if isinstance(value, str) else value for name, value in trick.items()
    }
    full = {"result": RESULT, **body}
    assert amal.post(f"/api/tasks/{work.tasks[2]}/annotations", json=full).status_code == 403
    assert amal.patch(f"/api/annotations/{work.annotation}", json=full).status_code == 403


def test_drafts_stay_where_they_are(amal: httpx.Client, work: Work, bea: Work) -> None:
    own = f"/api/drafts/{work.draft}"
    for trick in ({"task": bea.tasks[0]}, {"annotation": bea.annotation}, {"user": bea.email}):
        assert amal.patch(own, json={"result": [], **trick}).status_code == 403
    other = f"/api/tasks/{work.tasks[0]}/annotations/{bea.annotation}/drafts"
    assert amal.post(other, json={"result": []}).status_code == 404
    crossed = f"/api/tasks/{work.tasks[1]}/annotations/{work.annotation}/drafts"
    assert amal.post(crossed, json={"result": []}).status_code == 404


def test_forms_other_alphabets_and_bodies_of_a_get_are_refused(
    amal: httpx.Client, work: Work, bea: Work
) -> None:
    address = f"/api/tasks/{work.tasks[2]}/annotations"
    assert amal.post(address, data={"result": "[]", "completed_by": bea.user}).status_code == 403
    sly = '{"result": [], "completed_by": 1}'.encode("utf-16")
    header = {"Content-Type": "application/json; charset=utf-16"}
    assert amal.post(address, content=sly, headers=header).status_code == 403
    listing = amal.request("GET", "/api/tasks", params={"project": work.project}, json={"view": bea.view})
    assert listing.status_code == 403


@pytest.mark.parametrize(
    "query",
    [
        "project={bea}",
        "project={amal}&project={bea}",
        "project=+{bea}",
        "project={amal}&view={view}",
        "project={amal}&query=%7B%7D",
        "project={amal}&fields=all",
        "view={view}",
        "",
    ],
)
def test_no_query_reaches_beyond_her_project(amal: httpx.Client, work: Work, bea: Work, query: str) -> None:
    asked = query.format(bea=bea.project, amal=work.project, view=bea.view)
    for path in ("/api/tasks", "/api/dm/views", "/api/dm/project", "/api/dm/columns", "/api/users"):
        assert amal.get(f"{path}?{asked}").status_code in (403, 404), path


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize(
    "address",
    [
        "/api/tasks/{task}/",
        "/api/tasks/{task}",
        "//api/tasks/{task}/",
        "/api/tasks/%{hex}/",
        "/api/../api/tasks/{task}/",
        "/API/tasks/{task}/",
        "/api/annotations/{annotation}",
    ],
)
def test_no_way_of_writing_an_address_gets_around(
    amal: httpx.Client, bea: Work, method: str, address: str
) -> None:
    written = address.format(
        task=bea.tasks[0],
        annotation=bea.annotation,
        hex=f"{ord(str(bea.tasks[0])[0]):x}{str(bea.tasks[0])[1:]}",
    )
    override = {
        "X-HTTP-Method-Override": "GET",
        "X-Forwarded-Host": "127.0.0.1",
        "X-Original-URL": "/health/",
    }
    answer = amal.request(method, written, headers=override)
    assert answer.status_code in (403, 404)
    assert "beas-text" not in answer.text


def test_other_actions_of_the_data_manager_are_closed(amal: httpx.Client, work: Work) -> None:
    project = {"project": str(work.project)}
    for action in ("delete_tasks", "delete_tasks_annotations", "predictions_to_annotations", "next_task "):
        assert amal.post("/api/dm/actions", params={**project, "id": action}, json={}).status_code == 403
    filters = {"conjunction": "and", "items": [{"filter": "filter:tasks:updated_by__password"}]}
    sly = amal.post("/api/dm/actions", params={**project, "id": "next_task"}, json={"filters": filters})
    assert sly.status_code == 403


def test_a_page_of_another_server_cannot_use_her_session(amal: httpx.Client, work: Work) -> None:
    elsewhere = {"Origin": "http://127.0.0.1:1"}
    own = f"/api/annotations/{work.annotation}"
    assert amal.delete(own, headers=elsewhere).status_code == 403
    assert amal.get(own).status_code == 200


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


def test_who_takes_over_a_project_does_not_see_the_work_before(
    label_studio: RunningLabelStudio, owner: httpx.Client
) -> None:
    first = settle(label_studio, key="annotator-1013", name="Chen", text="chens-text")
    second = new_account(owner, "annotator-1014", "Dara")
    put_seat(owner, first.project, second)
    with session_of(label_studio, first.user) as before, session_of(label_studio, second) as after:
        assert before.get(f"/api/tasks/{first.tasks[0]}").status_code == 404
        seen = after.get(f"/api/tasks/{first.tasks[0]}").json()
        assert (seen["annotations"], seen["annotators"], seen["total_annotations"]) == ([], [], 1)
        assert after.get(f"/api/annotations/{first.annotation}").status_code == 404
        assert after.patch(f"/api/drafts/{first.draft}", json={"result": []}).status_code == 404
        listed = after.get("/api/tasks", params={"project": first.project}).json()["tasks"]
        assert [task["annotators"] for task in listed] == [[], [], []]
