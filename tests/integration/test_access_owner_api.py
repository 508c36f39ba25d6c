"""What Attune asks of the access app: accounts, seats, the list of tasks, and deleting what nobody has begun."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.integration.access_people import (
    RESULT,
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


@pytest.fixture
def owner(label_studio: RunningLabelStudio) -> Iterator[httpx.Client]:
    with owner_client(label_studio) as client:
        yield client


def test_an_account_is_made_once_and_renamed(owner: httpx.Client) -> None:
    first = owner.put("/attune/annotators/annotator-1031", json={"name": "Amal"}).json()
    again = owner.put("/attune/annotators/annotator-1031", json={"name": "Amal Haddad"}).json()
    assert first == again
    assert first["email"] == "annotator-1031@attune.local"
    person = owner.get(f"/api/users/{first['id']}/").json()
    assert (person["first_name"], person["active_organization"] is not None) == ("Amal Haddad", True)


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/attune/annotators/owner", {"name": "x"}, 400),
        ("/attune/annotators/annotator-1031", {}, 400),
        ("/attune/annotators/Capital", {"name": "x"}, 404),
        (
            "/attune/projects/987654/seat",
            {"annotator": 1, "open": True, "return_url": "", "heading": ""},
            404,
        ),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(
    owner: httpx.Client, path: str, body: dict[str, object], status: int
) -> None:
    assert owner.put(path, json=body).status_code == status


def test_a_seat_is_for_an_annotator_and_leads_to_a_web_address(owner: httpx.Client) -> None:
    project = new_project(owner, "seats", "seat-text", items=1)
    account = new_account(owner, "annotator-1032", "Bea")
    sound: dict[str, object] = {"annotator": account, "open": True, "return_url": "http://a/", "heading": "h"}
    address = f"/attune/projects/{project}/seat"
    assert owner.put(address, json=sound).json() == sound
    for wrong in (
        {"annotator": 1},
        {"open": 1},
        {"return_url": "javascript:alert(1)"},
        {"heading": "x" * 301},
    ):
        assert owner.put(address, json={**sound, **wrong}).status_code == 400
    assert owner.delete(address).status_code == 204
    assert owner.delete(address).status_code == 204


def test_without_the_token_the_owners_addresses_are_closed(label_studio: RunningLabelStudio) -> None:
    work = settle(label_studio, key="annotator-1033", name="Chen", text="closed-to-her")
    with (
        session_of(label_studio, work.user) as annotator,
        httpx.Client(base_url=label_studio.url) as stranger,
    ):
        for method in ("GET", "PUT", "DELETE"):
            for path in (f"/attune/projects/{work.project}/tasks", f"/attune/projects/{work.project}/seat"):
                assert annotator.request(method, path).status_code == 403
                assert stranger.request(method, path).status_code == 401


def test_the_list_counts_what_happened_to_each_task(
    label_studio: RunningLabelStudio, owner: httpx.Client
) -> None:
    work = settle(label_studio, key="annotator-1034", name="Dara", text="counted")
    with session_of(label_studio, work.user) as dara:
        skip = {"result": [], "was_cancelled": True}
        dara.post(f"/api/tasks/{work.tasks[2]}/annotations", json=skip).raise_for_status()
        edit = f"/api/tasks/{work.tasks[0]}/annotations/{work.annotation}/drafts"
        dara.post(edit, json={"result": []}).raise_for_status()
    listed = owner.get(f"/attune/projects/{work.project}/tasks").json()
    counted = [(row["item"], row["annotations"], row["skipped"], row["drafts"]) for row in listed["tasks"]]
    assert counted == [("counted-0", 1, 0, 1), ("counted-1", 0, 0, 1), ("counted-2", 0, 1, 0)]
    assert listed["next"] is None


def test_the_list_comes_in_pages(owner: httpx.Client) -> None:
    project = new_project(owner, "pages", "paged", items=5)
    first = owner.get(f"/attune/projects/{project}/tasks", params={"limit": 3}).json()
    rest = owner.get(f"/attune/projects/{project}/tasks", params={"after": first["next"], "limit": 3}).json()
    assert [row["item"] for row in first["tasks"] + rest["tasks"]] == [f"paged-{n}" for n in range(5)]
    assert rest["next"] is None
    assert owner.get(f"/attune/projects/{project}/tasks", params={"after": "x"}).status_code == 400


def test_the_list_can_be_asked_for_one_item(owner: httpx.Client) -> None:
    project = new_project(owner, "one item", "asked", items=3)
    second = task_ids(owner, project)[1]
    address = f"/attune/projects/{project}/tasks"
    found = owner.get(address, params={"item": "asked-1"}).json()
    assert [(row["id"], row["item"]) for row in found["tasks"]] == [(second, "asked-1")]
    assert owner.get(address, params={"item": "asked"}).json() == {"tasks": [], "next": None}


def test_only_tasks_that_nobody_has_begun_are_deleted(
    label_studio: RunningLabelStudio, owner: httpx.Client
) -> None:
    work = settle(label_studio, key="annotator-1035", name="Eli", text="deleted")
    elsewhere = task_ids(owner, new_project(owner, "elsewhere", "stays", items=1))
    with session_of(label_studio, work.user) as eli:
        skip = {"result": [], "was_cancelled": True}
        eli.post(f"/api/tasks/{work.tasks[2]}/annotations", json=skip).raise_for_status()
    more = [{"item": "deleted-3", "post": "deleted 3"}, {"item": "deleted-4", "post": "deleted 4"}]
    owner.post(f"/api/projects/{work.project}/import", json=more).raise_for_status()
    fresh, unasked = task_ids(owner, work.project)[3:]
    asked = {"ids": [*work.tasks, fresh, *elsewhere, 987654]}
    answer = owner.request("DELETE", f"/attune/projects/{work.project}/tasks", json=asked).json()
    assert answer["deleted"] == [fresh]
    # One is annotated, one in draft, one skipped
    assert answer["kept"] == sorted([*work.tasks, *elsewhere, 987654])
    assert task_ids(owner, work.project) == (*work.tasks, unasked)
    assert owner.get(f"/api/projects/{work.project}/").json()["task_number"] == 4


def test_a_project_with_a_seat_can_be_deleted(label_studio: RunningLabelStudio, owner: httpx.Client) -> None:
    project = new_project(owner, "short life", "short", items=1)
    account = new_account(owner, "annotator-1036", "Fay")
    put_seat(owner, project, account)
    with session_of(label_studio, account) as fay:
        task = task_ids(owner, project)[0]
        assert fay.post(f"/api/tasks/{task}/annotations", json={"result": RESULT}).status_code == 201
        assert owner.delete(f"/api/projects/{project}/").status_code == 204
        assert fay.get(f"/api/projects/{project}").status_code == 404
    assert owner.get(f"/attune/projects/{project}/tasks").status_code == 404
