"""An annotator walks Label Studio's whole URL table with a colleague's ids: nothing leaks and nothing changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import pytest

from tests.integration.access_people import Work, owner_client, session_of, settle
from tests.integration.access_walk import changed_tables, contents, filled, pinned, url_table
from tests.integration.label_studio_server import RunningLabelStudio

pytestmark = pytest.mark.label_studio

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
REFUSED = {400, 401, 403, 404, 405}
# What every visitor may have: no project, no person is behind it
HARMLESS = ("/static/", "/react-app/", "/dm/", "/label-studio-frontend/", "/health/")
HARMLESS_FILES = {"/favicon.ico", "/sw.js", "/sw-fallback.js"}
# Ends the session in earnest, so that every later refusal would say nothing
LOG_OUT = {"/logout", "/logout/"}


@dataclass(frozen=True)
class Walk:
    addresses: list[str]
    bea: Work
    secrets: tuple[str, ...]

    def query(self) -> dict[str, int | str]:
        bea = self.bea
        return {
            "project": bea.project,
            "task": bea.tasks[0],
            "taskID": bea.tasks[0],
            "view": bea.view,
            "user": bea.user,
            "id": "delete_tasks",
            "fields": "all",
        }

    def body(self) -> dict[str, object]:
        bea = self.bea
        return {
            "project": bea.project,
            "task": bea.tasks[0],
            "completed_by": bea.user,
            "user": bea.user,
            "ids": list(bea.tasks),
            "title": "taken over",
            "result": [],
            "data": {"post": "taken over"},
            "url": "http://127.0.0.1:9/taken",
            "selectedItems": {"all": True, "excluded": []},
            "password": "taken-over-1",
            "email": "taken@over.example",
        }

    def leaks(self, answer: httpx.Response) -> list[str]:
        return [secret for secret in self.secrets if secret in answer.text]


@pytest.fixture(scope="module")
def own(label_studio: RunningLabelStudio) -> Work:
    return settle(label_studio, key="annotator-1001", name="Amal", text="amals-own")


@pytest.fixture(scope="module")
def walk(label_studio: RunningLabelStudio, own: Work) -> Walk:
    bea = settle(label_studio, key="annotator-1002", name="Bea Beforeword", text="beas-marker")
    secrets = ("beas-marker", "annotator-1002", "Beforeword")
    table = url_table(label_studio.instance)["addresses"]
    assert len(table) > 300
    return Walk(sorted({filled(address, bea) for address in table}), bea, secrets)


@pytest.fixture(scope="module")
def amal(label_studio: RunningLabelStudio, own: Work) -> Iterator[httpx.Client]:
    with session_of(label_studio, own.user) as session, pinned(session) as client:
        yield client


def test_nothing_leaks_and_nothing_changes(
    walk: Walk, amal: httpx.Client, label_studio: RunningLabelStudio, own: Work
) -> None:
    before = contents(label_studio.instance)
    wrong = []
    for address in walk.addresses:
        for method in METHODS:
            body = None if method == "GET" else walk.body()
            answer = amal.request(method, address, params=walk.query(), json=body)
            amal.cookies.clear()
            if walk.leaks(answer) or not _is_refused(answer, address, method):
                wrong.append((method, address, answer.status_code, walk.leaks(answer)))
    assert wrong == []
    assert len(walk.addresses) > 150
    assert changed_tables(before, contents(label_studio.instance)) == set()
    assert len(before["task"]) >= 6
    assert _who(amal) == own.user


def test_bare_addresses_tell_no_more(walk: Walk, amal: httpx.Client, own: Work) -> None:
    wrong = []
    for address in walk.addresses:
        if address in LOG_OUT:
            continue
        answer = amal.get(address, headers={"Accept": "text/html"})
        amal.cookies.clear()
        # Label Studio's pattern for its version fits every address with this word in it.
        is_own_affair = address == "/api/current-user/whoami" or "version/" in address
        if walk.leaks(answer) or not (_is_refused(answer, address, "GET") or is_own_affair):
            wrong.append((address, answer.status_code, walk.leaks(answer)))
    assert wrong == []
    assert _who(amal) == own.user


def test_the_same_walk_shows_the_owner_a_lot(walk: Walk, label_studio: RunningLabelStudio) -> None:
    with owner_client(label_studio) as owner:
        telling = [
            address
            for address in walk.addresses
            if "500" not in address and walk.leaks(owner.get(address, params={"project": walk.bea.project}))
        ]
    assert len(telling) > 15
    assert f"/api/tasks/{walk.bea.tasks[0]}/" in telling
    assert f"/api/annotations/{walk.bea.annotation}/" in telling


def _who(person: httpx.Client) -> object:
    """Whoever is signed out is refused everything, and that would prove nothing."""
    return person.get("/api/current-user/whoami").json().get("id")


def _is_refused(answer: httpx.Response, address: str, method: str) -> bool:
    if method == "GET" and (address.startswith(HARMLESS) or address in HARMLESS_FILES):
        return True
    return answer.status_code in REFUSED
