"""What only a running Label Studio can show of the client: its project's settings, its webhooks, a real sign-in."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from pytest_django import Settings

from backend.annotate.label_studio.client import HttpLabelStudio
from backend.annotate.label_studio.keys import WEBHOOK_HEADER, sign_in_url
from backend.annotate.label_studio.project_settings import PROJECT_SETTINGS
from tests.integration.label_studio_annotator import RealAnnotators
from tests.integration.label_studio_contract import CONFIG, ticked
from tests.integration.label_studio_server import RunningLabelStudio

pytestmark = pytest.mark.label_studio


@pytest.fixture
def server(label_studio: RunningLabelStudio) -> Iterator[HttpLabelStudio]:
    made = HttpLabelStudio(label_studio.url, label_studio.instance.token)
    yield made
    made.close()


@pytest.fixture
def owner(label_studio: RunningLabelStudio) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Token {label_studio.instance.token}"}
    with httpx.Client(base_url=label_studio.url, headers=headers, trust_env=False, timeout=60) as http:
        yield http


@pytest.fixture
def project(server: HttpLabelStudio) -> int:
    made = server.create_project(title="Client", marker="attune:client", label_config=CONFIG)
    server.import_tasks(made, [{"item": "item-a", "post": "Thank you"}])
    return made


def test_a_new_project_is_set_up_as_said(server: HttpLabelStudio, owner: httpx.Client, project: int) -> None:
    wanted = {**PROJECT_SETTINGS, "description": "attune:client", "label_config": CONFIG}
    there = owner.get(f"/api/projects/{project}/").json()
    assert {name: there[name] for name in wanted} == wanted


@dataclass
class Ear:
    url: str
    heard: list[tuple[str | None, object]] = field(default_factory=list)


@pytest.fixture
def ear() -> Iterator[Ear]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            listening.heard.append((self.headers.get(WEBHOOK_HEADER), json.loads(body)))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """The tests' output stays clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        listening = Ear(f"http://127.0.0.1:{http.server_port}/webhook")
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        yield listening
        http.shutdown()
        thread.join()


def test_webhooks_carry_the_secret_and_no_text(
    server: HttpLabelStudio, owner: httpx.Client, project: int, ear: Ear
) -> None:
    server.ensure_webhook(project, url=ear.url, secret="between us")
    people, task = RealAnnotators(owner), server.task_index(project)[0].id
    number = people.submit(task, 1, ticked("thanks"))
    people.change(number, ticked("praise"))
    people.save_draft(task, ticked("thanks"), annotation_id=number)
    people.delete_annotation(number)
    actions = ["ANNOTATION_CREATED", "ANNOTATION_UPDATED", "ANNOTATIONS_DELETED"]
    assert ear.heard == [("between us", {"action": action}) for action in actions]


def test_what_a_signed_in_annotator_submits_is_read_as_theirs(
    server: HttpLabelStudio, label_studio: RunningLabelStudio, project: int, settings: Settings
) -> None:
    settings.LABEL_STUDIO_URL, settings.LABEL_STUDIO_TOKEN = label_studio.url, label_studio.instance.token
    amal = server.ensure_account(key="annotator-1", name="Amal")
    server.set_seat(project, account_id=amal.id, is_open=True, return_url="http://127.0.0.1:1/", heading="")
    task = server.task_index(project)[0]
    with httpx.Client(base_url=label_studio.url, trust_env=False, timeout=60) as browser:
        page = f"/projects/{project}/data?labeling=1"
        browser.get(sign_in_url(account_id=amal.id, next_path=page))
        browser.get(page)
        headers = {"X-CSRFToken": browser.cookies["label_studio_csrf"], "Referer": label_studio.url}
        body = {"result": ticked("thanks"), "lead_time": 2.5, "draft_id": 0, "project": project}
        made = browser.post(
            f"/api/tasks/{task.id}/annotations/?project={project}", json=body, headers=headers
        )
    assert made.status_code == 201
    (changed,) = server.changed_tasks(project, after=task.updated_at)
    (seen,) = changed.annotations
    assert (seen.id, seen.account_id, seen.lead_seconds) == (made.json()["id"], amal.id, 2.5)
