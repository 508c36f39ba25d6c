"""What an annotator is shown of a project: the items and their own work, not who or what was there before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

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
    sorted_tab,
    task_ids,
)
from tests.integration.label_studio_server import RunningLabelStudio

pytestmark = pytest.mark.label_studio

# Where two projects differ that nobody has ever worked in
_NAMES = {"id", "project", "title", "data", "inner_id", "unique_lock_id", "created_at", "updated_at"}
# What is left to do depends on what has been done
_TO_DO = {"queue_total", "queue_done"}


@pytest.fixture
def owner(label_studio: RunningLabelStudio) -> Iterator[httpx.Client]:
    with owner_client(label_studio) as client:
        yield client


def _next(person: httpx.Client, project: int, tab: Mapping[str, Any]) -> httpx.Response:
    """The next item, asked for as the page does it with the tab it has been given."""
    body = {
        "project": str(project),
        "ordering": tab["data"].get("ordering", []),
        "selectedItems": {"all": False, "included": []},
        "filters": {"conjunction": "and", "items": tab["data"].get("filters", {}).get("items", [])},
    }
    query = {"project": project, "id": "next_task", "tabID": tab["id"]}
    return person.post("/api/dm/actions", params=query, json=body)


def _tab(person: httpx.Client, project: int) -> Mapping[str, Any]:
    tabs: list[Mapping[str, Any]] = person.get("/api/dm/views", params={"project": project}).json()
    assert len(tabs) == 1
    return tabs[0]


def _differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> set[str]:
    assert one.keys() == other.keys()
    return {name for name in one if one[name] != other[name]} - _NAMES


def test_who_takes_over_a_project_sees_it_as_if_nobody_had_been_there(
    label_studio: RunningLabelStudio, owner: httpx.Client
) -> None:
    first = settle(label_studio, key="annotator-1061", name="Chen", text="chens-text")
    with session_of(label_studio, first.user) as chen:
        skip = {"result": [], "was_cancelled": True, "lead_time": 7.0}
        chen.post(f"/api/tasks/{first.tasks[2]}/annotations", json=skip).raise_for_status()
    second = new_account(owner, "annotator-1062", "Dara")
    fresh = new_project(owner, "fresh project", "fresh-text")
    owner.patch(f"/api/projects/{first.project}/", json={"show_collab_predictions": False})
    owner.patch(f"/api/projects/{fresh}/", json={"show_collab_predictions": False})
    put_seat(owner, first.project, second)
    put_seat(owner, fresh, second)
    with session_of(label_studio, first.user) as before, session_of(label_studio, second) as dara:
        assert before.get(f"/api/tasks/{first.tasks[0]}").status_code == 404
        assert dara.get(f"/api/annotations/{first.annotation}").status_code == 404
        assert dara.patch(f"/api/drafts/{first.draft}", json={"result": []}).status_code == 404
        for task, untouched in zip(first.tasks, task_ids(owner, fresh), strict=True):
            seen = dara.get(f"/api/tasks/{task}").json()
            assert _differences(seen, dara.get(f"/api/tasks/{untouched}").json()) == set()
            assert seen["updated_at"] == seen["created_at"]
        taken, new = (
            dara.get("/api/tasks", params={"project": each}).json() for each in (first.project, fresh)
        )
        for one, other in zip(taken.pop("tasks"), new.pop("tasks"), strict=True):
            assert _differences(one, other) == set()
        assert taken == new
        for address in ("/api/projects/{}", "/api/dm/project?project={}"):
            one, other = (dara.get(address.format(each)).json() for each in (first.project, fresh))
            assert _differences(one, other) - _TO_DO == set()
        one, other = (_next(dara, each, _tab(dara, each)).json() for each in (first.project, fresh))
        assert _differences(one, other) == set()
        assert one["id"] == first.tasks[1]
        assert "chens" not in str({**one, "data": None})


def test_who_takes_over_a_project_sees_her_own_work_counted(
    label_studio: RunningLabelStudio, owner: httpx.Client
) -> None:
    first = settle(label_studio, key="annotator-1063", name="Eli", text="elis-text")
    second = new_account(owner, "annotator-1064", "Fay")
    put_seat(owner, first.project, second)
    with session_of(label_studio, second) as fay:
        judged = {"result": RESULT, "lead_time": 5.0}
        done = fay.post(f"/api/tasks/{first.tasks[0]}/annotations", json=judged).json()["id"]
        skip = {"result": [], "was_cancelled": True}
        fay.post(f"/api/tasks/{first.tasks[1]}/annotations", json=skip).raise_for_status()
        fay.post(f"/api/tasks/{first.tasks[2]}/drafts", json={"result": []}).raise_for_status()
        seen = [fay.get(f"/api/tasks/{task}").json() for task in first.tasks]
        assert [each["id"] for each in seen[0]["annotations"]] == [done]
        assert [each["total_annotations"] for each in seen] == [1, 0, 0]
        assert [each["cancelled_annotations"] for each in seen] == [0, 1, 0]
        assert [each["annotators"] for each in seen] == [[second], [second], []]
        assert [each["avg_lead_time"] for each in seen] == [5.0, None, None]
        assert [each["draft_exists"] for each in seen] == [False, False, True]
        assert [each["is_labeled"] for each in seen] == [True, False, False]
        listed = fay.get("/api/tasks", params={"project": first.project}).json()
        assert (listed["total_annotations"], listed["total"]) == (1, 3)
        project = fay.get(f"/api/projects/{first.project}").json()
        assert (project["total_annotations_number"], project["skipped_annotations_number"]) == (1, 1)
        state = fay.get("/api/dm/project", params={"project": first.project}).json()
        assert state["annotation_count"] == 2
    assert owner.get(f"/api/tasks/{first.tasks[0]}/").json()["total_annotations"] == 2


@pytest.mark.parametrize("shown", [True, False])
def test_predictions_are_seen_where_the_project_shows_them(
    label_studio: RunningLabelStudio, owner: httpx.Client, shown: bool
) -> None:
    account = new_account(owner, "annotator-1065", "Gil")
    project = new_project(owner, "predicted", "predicted-text", items=1)
    put_seat(owner, project, account)
    (task,) = task_ids(owner, project)
    thought = {"task": task, "result": RESULT, "score": 0.875, "model_version": "kind-model-7"}
    prediction = owner.post("/api/predictions/", json=thought).json()["id"]
    settings = {"show_collab_predictions": shown, "model_version": "kind-model-7"}
    owner.patch(f"/api/projects/{project}/", json=settings).raise_for_status()
    with session_of(label_studio, account) as gil:
        answers = [
            gil.get(f"/api/tasks/{task}"),
            _next(gil, project, _tab(gil, project)),
            gil.get("/api/dm/columns", params={"project": project}),
            gil.get("/api/dm/project", params={"project": project}),
            gil.get(f"/api/projects/{project}"),
        ]
        assert [answer.status_code for answer in answers] == [200] * 5
        assert ["kind-model-7" in answer.text for answer in answers] == [shown] * 5
        assert ["0.875" in answer.text for answer in answers[:2]] == [shown] * 2
        listed = gil.get("/api/tasks", params={"project": project}).json()
        counts = {each["total_predictions"] for each in (listed, listed["tasks"][0], answers[0].json())}
        assert counts == {1 if shown else 0}
        # Whoever may not see it cannot find out that it is there either.
        begun = gil.post(f"/api/tasks/{task}/drafts", json={"result": [], "parent_prediction": prediction})
        assert begun.status_code == (201 if shown else 403)


def test_a_prediction_that_was_taken_back_is_not_seen_and_stops_nobody(
    label_studio: RunningLabelStudio, owner: httpx.Client
) -> None:
    account = new_account(owner, "annotator-1067", "Ines")
    project = new_project(owner, "taken back", "taken-text", items=2)
    put_seat(owner, project, account)
    suggested, blind = task_ids(owner, project)
    address = f"/attune/projects/{project}/predictions"
    given = [{"task": suggested, "result": RESULT, "score": 0.875}]
    push = {"model_version": "kind-model-8", "predictions": given, "without": [blind]}
    with session_of(label_studio, account) as ines:
        assert ines.put(address, json=push).status_code == 403
        owner.put(address, json=push).raise_for_status()
        (prediction,) = ines.get(f"/api/tasks/{suggested}").json()["predictions"]
        assert (prediction["score"], prediction["model_version"]) == (0.875, "kind-model-8")
        seen = ines.get(f"/api/tasks/{blind}").json()
        assert (seen["predictions"], seen["total_predictions"]) == ([], 0)
        owner.put(address, json={"model_version": "", "predictions": [], "without": [suggested]})
        assert ines.get(f"/api/tasks/{suggested}").json()["predictions"] == []
        late = {"result": RESULT, "parent_prediction": prediction["id"]}
        assert ines.post(f"/api/tasks/{suggested}/annotations", json=late).status_code == 201


@pytest.mark.parametrize(
    "wrong",
    [
        {"model_version": 7},
        {"predictions": [{"task": "1", "result": []}]},
        {"predictions": [{"task": 1, "result": [1]}]},
        {"predictions": [{"task": 1, "result": [], "score": "high"}]},
        {"without": ["1"]},
        {"predictions": [{"task": 1, "result": []}], "without": [1]},
        {"without": list(range(501))},
    ],
)
def test_predictions_that_make_no_sense_are_refused(owner: httpx.Client, wrong: dict[str, object]) -> None:
    project = new_project(owner, "refused", "refused-text", items=1)
    body = {"model_version": "m", "predictions": [], "without": [], **wrong}
    assert owner.put(f"/attune/projects/{project}/predictions", json=body).status_code == 400


def test_the_owners_order_and_filters_do_not_change_what_comes_next(
    label_studio: RunningLabelStudio, owner: httpx.Client
) -> None:
    account = new_account(owner, "annotator-1066", "Hana")
    project = new_project(owner, "sorted", "sorted-text")
    put_seat(owner, project, account)
    tasks = task_ids(owner, project)
    with session_of(label_studio, account) as hana:
        _tab(hana, project)
        assert owner.get("/api/dm/views/", params={"project": project}).json() == []
        plain = {"project": project, "data": {"title": "Default", "type": "list", "target": "tasks"}}
        view = owner.post("/api/dm/views/", json=plain).json()["id"]
        owner.patch(f"/api/dm/views/{view}/", json=sorted_tab(project, tasks)).raise_for_status()
        for task in tasks:
            tab = _tab(hana, project)
            listed = hana.get("/api/tasks", params={"project": project, "view": tab["id"]}).json()["tasks"]
            assert [each["id"] for each in listed] == list(tasks)
            assert _next(hana, project, tab).json()["id"] == task
            hana.post(f"/api/tasks/{task}/annotations", json={"result": RESULT}).raise_for_status()
        assert _next(hana, project, _tab(hana, project)).status_code == 404
        assert hana.get("/api/tasks", params={"project": project, "view": view + 1}).status_code == 404
