"""No body, query, address or header reaches beyond an annotator's own work."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.integration.access_people import (
    RESULT,
    Work,
    session_of,
    settle,
)
from tests.integration.label_studio_server import RunningLabelStudio

pytestmark = pytest.mark.label_studio


@pytest.fixture(scope="module")
def bea(label_studio: RunningLabelStudio) -> Work:
    return settle(label_studio, key="annotator-1052", name="Bea", text="beas-text")


@pytest.fixture(scope="module")
def work(label_studio: RunningLabelStudio) -> Work:
    return settle(label_studio, key="annotator-1051", name="Amal", text="amals-text")


@pytest.fixture
def amal(label_studio: RunningLabelStudio, work: Work) -> Iterator[httpx.Client]:
    with session_of(label_studio, work.user) as session:
        yield session


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
    deep = b'{"result": ' + b"[" * 200_000 + b"]" * 200_000 + b"}"
    json_header = {"Content-Type": "application/json"}
    assert amal.post(address, content=deep, headers=json_header).status_code == 403
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
