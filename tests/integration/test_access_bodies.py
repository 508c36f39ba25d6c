"""What an annotator's page sends is stored, unless it could never be written out again."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import httpx
import pytest

from tests.integration.access_people import RESULT, Work, owner_client, session_of, settle
from tests.integration.label_studio_server import RunningLabelStudio

pytestmark = pytest.mark.label_studio


@pytest.fixture(scope="module")
def bea(label_studio: RunningLabelStudio) -> Work:
    return settle(label_studio, key="annotator-1055", name="Bea", text="beas-body")


@pytest.fixture(scope="module")
def work(label_studio: RunningLabelStudio) -> Work:
    return settle(label_studio, key="annotator-1054", name="Amal", text="amals-body")


@pytest.fixture
def amal(label_studio: RunningLabelStudio, work: Work) -> Iterator[httpx.Client]:
    with session_of(label_studio, work.user) as session:
        yield session


@pytest.fixture
def owner(label_studio: RunningLabelStudio) -> Iterator[httpx.Client]:
    with owner_client(label_studio) as client:
        yield client


@pytest.mark.parametrize(
    "body",
    [
        rb'{"result": [{"value": "\ud800"}]}',
        rb'{"result": "[{\"value\": \"\\ud800\"}]"}',
        b'{"result": {"value": 1}}',
        b'{"result": [[]]}',
        b'{"result": [NaN]}',
        b'{"result": [], "lead_time": 1e400}',
        b'{"result": [], "lead_time": "Infinity"}',
        b'{"result": [], "lead_time": "nan"}',
        b'{"result": [], "lead_time": "3.5"}',
        b'{"result": [], "lead_time": 1.7e308}',
        b'{"result": [], "lead_time": true}',
        b'{"result": null}',
    ],
)
def test_what_could_never_be_listed_again_is_not_stored(
    amal: httpx.Client, work: Work, owner: httpx.Client, body: bytes
) -> None:
    header = {"Content-Type": "application/json"}
    task = f"/api/tasks/{work.tasks[2]}"
    for address in (f"{task}/annotations", f"{task}/drafts", f"{task}/annotations/{work.annotation}/drafts"):
        assert amal.post(address, content=body, headers=header).status_code in (403, 404)
    for address in (f"/api/annotations/{work.annotation}", f"/api/drafts/{work.draft}"):
        assert amal.patch(address, content=body, headers=header).status_code == 403
    for person in (amal, owner):
        assert person.get("/api/tasks", params={"project": work.project}).status_code == 200


@pytest.mark.parametrize("body", [b"", b"{}", b'{"lead_time": 3}', b'{"was_cancelled": true}'])
def test_new_work_without_a_result_is_not_stored_as_null(amal: httpx.Client, work: Work, body: bytes) -> None:
    header = {"Content-Type": "application/json"}
    task = f"/api/tasks/{work.tasks[2]}"
    for address in (f"{task}/annotations", f"{task}/drafts"):
        assert amal.post(address, content=body, headers=header).status_code == 403
    own = f"/api/tasks/{work.tasks[0]}/annotations/{work.annotation}/drafts"
    assert amal.post(own, content=body, headers=header).status_code == 403


@pytest.mark.parametrize("seconds", [None, 0, 3, 3.5, -0.2])
def test_a_time_that_is_one_is_stored(amal: httpx.Client, work: Work, seconds: float | None) -> None:
    body = {"result": RESULT, "lead_time": seconds}
    for address in (f"/api/annotations/{work.annotation}", f"/api/drafts/{work.draft}"):
        assert amal.patch(address, json=body).json()["lead_time"] == seconds


def test_who_submits_again_may_name_the_draft_that_went_with_the_first(
    label_studio: RunningLabelStudio, bea: Work
) -> None:
    work = settle(label_studio, key="annotator-1053", name="Chen", text="chens-text")
    address = f"/api/tasks/{work.tasks[1]}/annotations"
    with session_of(label_studio, work.user) as chen:
        body = {"result": RESULT, "draft_id": work.draft, "unique_id": str(uuid.uuid4())}
        assert chen.post(address, json=body).status_code == 201
        # The answer was lost, so her page sends the same again: Label Studio knows it by its unique id.
        assert chen.post(address, json=body).status_code == 409
        assert chen.post(address, json={**body, "unique_id": str(uuid.uuid4())}).status_code == 201
        assert chen.post(address, json={"result": RESULT, "draft_id": bea.draft}).status_code == 403
        elsewhere = chen.post(f"/api/tasks/{work.tasks[2]}/drafts", json={"result": []}).json()["id"]
        assert chen.post(address, json={"result": RESULT, "draft_id": elsewhere}).status_code == 403
