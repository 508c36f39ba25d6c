"""What the access app lets through with one's own ids it refuses with a colleague's, each in turn and all together."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.integration.access_people import RESULT, Work, session_of, settle
from tests.integration.access_requests import OWN_AFFAIRS, CleanRequest, clean_requests, everywhere
from tests.integration.access_walk import changed_tables, contents, pinned, url_table
from tests.integration.label_studio_server import RunningLabelStudio

pytestmark = pytest.mark.label_studio

SECRETS = ("beas-clean", "annotator-1082", "Afterword")


@pytest.fixture(scope="module")
def requests(label_studio: RunningLabelStudio) -> list[CleanRequest]:
    return list(clean_requests(url_table(label_studio.instance)["rules"]))


@pytest.fixture(scope="module")
def work(label_studio: RunningLabelStudio) -> Work:
    return settle(label_studio, key="annotator-1081", name="Amal", text="amals-clean")


@pytest.fixture(scope="module")
def beas(label_studio: RunningLabelStudio) -> Work:
    return settle(label_studio, key="annotator-1082", name="Bea Afterword", text="beas-clean")


@pytest.fixture(scope="module")
def amal(label_studio: RunningLabelStudio, work: Work) -> Iterator[httpx.Client]:
    with session_of(label_studio, work.user) as session, pinned(session) as client:
        yield client


def test_with_ones_own_ids_every_one_is_let_through(
    label_studio: RunningLabelStudio, requests: list[CleanRequest]
) -> None:
    refused = []
    for number, request in enumerate(requests):
        # Each begins anew: some of them delete what the next would need.
        own = settle(label_studio, key=f"annotator-11{number:02}", name="Chen", text=f"own-{number}")
        with session_of(label_studio, own.user) as person:
            answer = request.send(person, everywhere(own))
        if not (answer.is_success or (request.view == "logout" and answer.status_code == 302)):
            refused.append((request.method, request.view, answer.status_code, answer.text[:200]))
    assert refused == []


def test_with_a_colleagues_ids_none_is(
    label_studio: RunningLabelStudio,
    requests: list[CleanRequest],
    work: Work,
    beas: Work,
    amal: httpx.Client,
) -> None:
    before = contents(label_studio.instance)
    let_through, sent = [], 0
    for request in requests:
        if request.view in OWN_AFFAIRS:
            continue
        mixed = [{**everywhere(work), part: beas} for part in request.parts()]
        for parts in [everywhere(beas), *mixed]:
            answer = request.send(amal, parts)
            sent += 1
            leaks = [secret for secret in SECRETS if secret in answer.text]
            if leaks or answer.status_code not in (403, 404):
                foreign = [part for part in request.parts() if parts[part] is beas]
                let_through.append((request.method, request.view, foreign, answer.status_code, leaks))
    assert let_through == []
    assert changed_tables(before, contents(label_studio.instance)) == set()
    assert amal.get("/api/current-user/whoami").json()["id"] == work.user
    assert sent > 60


def test_ones_own_affairs_tell_nothing_of_a_colleague(
    requests: list[CleanRequest], beas: Work, amal: httpx.Client
) -> None:
    of_this_kind = [request for request in requests if request.view in OWN_AFFAIRS]
    assert {request.view for request in of_this_kind} == OWN_AFFAIRS
    for request in of_this_kind:
        if request.view != "logout":
            answer = request.send(amal, everywhere(beas))
            assert answer.status_code == 200
            assert not [secret for secret in SECRETS if secret in answer.text]


@pytest.mark.parametrize(
    ("method", "address", "body"),
    [
        ("POST", "/api/tasks/{task}/annotations", {"result": RESULT}),
        ("POST", "/api/tasks/{task}/drafts", {"result": RESULT}),
        ("POST", "/api/tasks/{task}/annotations/{annotation}/drafts", {"result": RESULT}),
        ("PATCH", "/api/annotations/{annotation}", {"result": []}),
        ("DELETE", "/api/annotations/{annotation}", None),
        ("POST", "/api/annotations/{annotation}/convert-to-draft", {}),
        ("PATCH", "/api/drafts/{draft}", {"result": []}),
        ("DELETE", "/api/drafts/{draft}", None),
        ("POST", "/api/dm/actions?id=next_task&project={project}", {}),
    ],
)
def test_a_colleagues_work_is_out_of_reach(
    label_studio: RunningLabelStudio,
    amal: httpx.Client,
    beas: Work,
    method: str,
    address: str,
    body: dict[str, object] | None,
) -> None:
    named = {
        "task": beas.tasks[0],
        "annotation": beas.annotation,
        "draft": beas.draft,
        "project": beas.project,
    }
    before = contents(label_studio.instance)
    answer = amal.request(method, address.format(**named), json=body)
    assert answer.status_code == 404
    assert changed_tables(before, contents(label_studio.instance)) == set()
