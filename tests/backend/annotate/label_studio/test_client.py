"""How the client behaves when Label Studio does not: against a server that answers what a test tells it to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from pytest_django import Settings

from backend.annotate.label_studio.client import HttpLabelStudio, connect
from backend.annotate.label_studio.errors import (
    LabelStudioError,
    LabelStudioRefused,
    LabelStudioUnreachable,
    LabelStudioUnreadable,
    ProjectGone,
)
from backend.annotate.label_studio.server import LabelStudioServer
from tests.servers import free_port

TOKEN = "0123456789abcdef0123456789abcdef01234567"
SECRET_TEXT = "a post that nobody else may read"


@dataclass
class Answering:
    """One answer for every request, and what was asked."""

    status: int = 200
    body: bytes = b"{}"
    content_type: str = "application/json"
    hang_up: bool = False
    requests: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    url: str = ""


@pytest.fixture
def answering() -> Iterator[Answering]:
    told = Answering()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            told.requests.append((self.command, self.path, dict(self.headers)))
            if told.hang_up:
                self.close_connection = True
                return
            self.send_response(told.status)
            self.send_header("Content-Type", told.content_type)
            self.send_header("Content-Length", str(len(told.body)))
            self.send_header("Set-Cookie", "label_studio_session=owner; Path=/")
            self.end_headers()
            self.wfile.write(told.body)

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _answer

        def log_message(self, format: str, *args: object) -> None:
            """The tests' output stays clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        told.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield told
        server.shutdown()
        thread.join()


@pytest.fixture
def client(answering: Answering) -> Iterator[HttpLabelStudio]:
    made = HttpLabelStudio(answering.url, TOKEN)
    yield made
    made.close()


CALLS: dict[str, Callable[[LabelStudioServer], object]] = {
    "projects": lambda server: server.projects(),
    "create_project": lambda server: server.create_project(title="New", marker="m", label_config="<View/>"),
    "update_project": lambda server: server.update_project(7, title="New", label_config="<View/>"),
    "delete_project": lambda server: server.delete_project(7),
    "ensure_webhook": lambda server: server.ensure_webhook(7, url="http://127.0.0.1:9/", secret="s"),
    "ensure_account": lambda server: server.ensure_account(key="annotator-1", name="Amal"),
    "set_seat": lambda server: server.set_seat(7, account_id=2, is_open=True, return_url="", heading=""),
    "remove_seat": lambda server: server.remove_seat(7),
    "import_tasks": lambda server: server.import_tasks(7, [{"post": SECRET_TEXT}]),
    "task_index": lambda server: server.task_index(7),
    "delete_unannotated_tasks": lambda server: server.delete_unannotated_tasks(7, [1]),
    "latest_change": lambda server: server.latest_change(7),
    "changed_tasks": lambda server: list(server.changed_tasks(7, after=None)),
    "annotation_exists": lambda server: server.annotation_exists(3),
}
OF_A_PROJECT = sorted(set(CALLS) - {"projects", "create_project", "ensure_account", "annotation_exists"})


def says_nothing_private(problem: LabelStudioError) -> bool:
    chain = f"{problem} {problem!r} {problem.__cause__}"
    return TOKEN not in chain and SECRET_TEXT not in chain and problem.__suppress_context__


@pytest.mark.parametrize("method", CALLS)
def test_a_server_that_is_down_is_unreachable(method: str) -> None:
    nobody = HttpLabelStudio(f"http://127.0.0.1:{free_port()}", TOKEN)
    with pytest.raises(LabelStudioUnreachable, match="ConnectError") as problem:
        CALLS[method](nobody)
    assert says_nothing_private(problem.value)
    nobody.close()


@pytest.mark.parametrize("method", CALLS)
def test_a_server_that_breaks_is_asked_once(
    method: str, answering: Answering, client: HttpLabelStudio
) -> None:
    """What it was asked may have been done; the SDK alone would ask twice more, and make three of it."""
    answering.status, answering.body = 502, SECRET_TEXT.encode()
    with pytest.raises(LabelStudioUnreachable, match="502"):
        CALLS[method](client)
    assert len(answering.requests) == 1


@pytest.mark.parametrize("method", CALLS)
def test_a_server_that_hangs_up_is_asked_once(
    method: str, answering: Answering, client: HttpLabelStudio
) -> None:
    answering.hang_up = True
    with pytest.raises(LabelStudioUnreachable) as problem:
        CALLS[method](client)
    assert len(answering.requests) == 1
    assert says_nothing_private(problem.value)


@pytest.mark.parametrize("method", CALLS)
def test_a_refusal_names_the_fields_and_quotes_nothing(
    method: str, answering: Answering, client: HttpLabelStudio
) -> None:
    complaint = {"detail": SECRET_TEXT, "validation_errors": {"label_config": [SECRET_TEXT], SECRET_TEXT: []}}
    answering.status, answering.body = 400, json.dumps(complaint).encode()
    with pytest.raises(LabelStudioRefused, match="label_config") as problem:
        CALLS[method](client)
    assert problem.value.status == 400
    assert SECRET_TEXT not in str(problem.value)


def test_a_refused_token_says_which_setting_to_check(answering: Answering, client: HttpLabelStudio) -> None:
    answering.status = 401
    with pytest.raises(LabelStudioRefused, match="ATTUNE_LABEL_STUDIO_TOKEN") as problem:
        client.projects()
    assert TOKEN not in str(problem.value)


@pytest.mark.parametrize("method", OF_A_PROJECT)
def test_an_unknown_project_is_gone(method: str, answering: Answering, client: HttpLabelStudio) -> None:
    answering.status, answering.body = 404, b'{"detail": "Not found."}'
    with pytest.raises(ProjectGone, match="project 7"):
        CALLS[method](client)


def test_an_unknown_address_is_not_taken_for_a_project_that_is_gone(
    answering: Answering, client: HttpLabelStudio
) -> None:
    """A Label Studio that runs without the access app must not make the sync give up its projects."""
    answering.status, answering.body, answering.content_type = 404, b"<!doctype html>", "text/html"
    with pytest.raises(LabelStudioRefused, match="Attune's settings") as problem:
        client.task_index(7)
    assert not isinstance(problem.value, ProjectGone)


@pytest.mark.parametrize("body", [b"<html>", b'{"tasks": [{"id": "x"}]}', b"\xff", b'{"tasks": 1'])
def test_an_answer_of_another_shape_is_unreadable(
    body: bytes, answering: Answering, client: HttpLabelStudio
) -> None:
    answering.body = body
    with pytest.raises(LabelStudioUnreadable):
        list(client.changed_tasks(7, after=None))


def test_an_annotation_of_another_shape_is_unreadable(answering: Answering, client: HttpLabelStudio) -> None:
    task = {"id": 1, "updated_at": "2026-03-01T12:00:00Z", "data": {}, "annotations": [{"id": 1}]}
    answering.body = json.dumps({"tasks": [task]}).encode()
    with pytest.raises(LabelStudioUnreadable):
        list(client.changed_tasks(7, after=None))


def test_a_task_without_an_item_of_ours_is_still_read(answering: Answering, client: HttpLabelStudio) -> None:
    tasks = [
        {"id": number, "updated_at": "2026-03-01T12:00:00Z", "data": data, "annotations": []}
        for number, data in enumerate([{}, {"item": 5}, {"item": "a"}])
    ]
    answering.body = json.dumps({"tasks": tasks}).encode()
    assert [task.item for task in client.changed_tasks(7, after=None)] == ["", "", "a"]


def test_every_request_carries_the_token_and_no_session(
    answering: Answering, client: HttpLabelStudio
) -> None:
    answering.body = b'{"tasks": [], "results": [], "next": null}'
    client.projects()
    client.task_index(7)
    sent = [headers for _, _, headers in answering.requests]
    assert [headers["Authorization"] for headers in sent] == [f"Token {TOKEN}"] * 2
    assert all("Cookie" not in headers for headers in sent)


def test_a_proxy_named_in_the_environment_is_not_asked(
    answering: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setenv("ALL_PROXY", f"http://127.0.0.1:{free_port()}")
    answering.body = b'{"results": [], "next": null}'
    client = HttpLabelStudio(answering.url, TOKEN)
    assert client.projects() == []
    client.close()


def test_threads_share_one_client(answering: Answering, client: HttpLabelStudio) -> None:
    answering.body = b'{"tasks": [], "next": null}'
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(client.task_index, range(1, 101)))
    assert found == [[]] * 100
    paths = sorted(path for _, path, _ in answering.requests)
    assert paths == sorted(f"/attune/projects/{number}/tasks?after=0&limit=5000" for number in range(1, 101))


def test_connect_takes_the_settings_and_keeps_its_connections(
    answering: Answering, settings: Settings
) -> None:
    settings.LABEL_STUDIO_URL, settings.LABEL_STUDIO_TOKEN = answering.url, TOKEN
    answering.body = b'{"results": [], "next": null}'
    server = connect()
    assert server.projects() == []
    assert connect() is server
    settings.LABEL_STUDIO_TOKEN = "f" * 40
    assert connect() is not server
