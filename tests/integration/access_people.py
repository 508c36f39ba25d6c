"""Annotators inside a running Label Studio, each with a project, a seat, some work and an open session."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlencode

import httpx
from django.core import signing

from backend.annotate.label_studio.keys import SALT, access_key
from tests.integration.label_studio_server import RunningLabelStudio

CONFIG = """
<View>
  <Text name="post" value="$post" granularity="symbol"/>
  <Choices name="thanks" toName="post"><Choice value="yes" hotkey="2"/></Choices>
</View>
"""
RESULT = [{"from_name": "thanks", "to_name": "post", "type": "choices", "value": {"choices": ["yes"]}}]
RETURN_URL = "http://127.0.0.1:8000/work/"


@dataclass(frozen=True)
class Work:
    """Everything of one annotator's that somebody else might reach for."""

    user: int
    email: str
    project: int
    tasks: tuple[int, ...]
    annotation: int
    draft: int
    prediction: int
    view: int
    webhook: int


def owner_client(server: RunningLabelStudio) -> httpx.Client:
    token = {"Authorization": f"Token {server.instance.token}"}
    return httpx.Client(base_url=server.url, headers=token, trust_env=False, timeout=60)


def ticket(server: RunningLabelStudio, account: int | None, next_path: str, nonce: str | None = None) -> str:
    """Without an account it is the owner's."""
    content = {"account": account, "next": next_path, "nonce": nonce or secrets.token_hex(16)}
    return signing.dumps(content, key=access_key(server.instance.token), salt=SALT)


def sign_in_address(server: RunningLabelStudio, account: int | None, next_path: str) -> str:
    return f"{server.url}/attune/sign-in?{urlencode({'ticket': ticket(server, account, next_path)})}"


@contextmanager
def session_of(server: RunningLabelStudio, account: int) -> Iterator[httpx.Client]:
    """A browser's cookies without a browser."""
    with httpx.Client(base_url=server.url, trust_env=False, timeout=60) as client:
        client.get(sign_in_address(server, account, "/"))
        yield client


def csrf_pair(visitor: httpx.Client) -> dict[str, str]:
    """The cookie and the field of a form that agree: anybody can make such a pair, so it keeps nobody out."""
    visitor.cookies.set("label_studio_csrf", "a" * 32)
    return {"csrfmiddlewaretoken": "a" * 32}


def enter_as_owner(visitor: httpx.Client, server: RunningLabelStudio) -> httpx.Response:
    """As an admin does who presses the button in Attune."""
    return visitor.get(sign_in_address(server, None, "/projects/"))


def new_account(owner: httpx.Client, key: str, name: str) -> int:
    return int(_sound(owner.put(f"/attune/annotators/{key}", json={"name": name})).json()["id"])


def new_project(owner: httpx.Client, title: str, text: str, items: int = 3) -> int:
    made = _sound(owner.post("/api/projects/", json={"title": title, "label_config": CONFIG})).json()
    rows = [{"item": f"{text}-{number}", "post": f"{text} {number}"} for number in range(items)]
    _sound(owner.post(f"/api/projects/{made['id']}/import", json=rows))
    return int(made["id"])


def put_seat(
    owner: httpx.Client, project: int, account: int, *, is_open: bool = True, heading: str = "Round 1"
) -> None:
    seat = {"annotator": account, "open": is_open, "return_url": RETURN_URL, "heading": heading}
    _sound(owner.put(f"/attune/projects/{project}/seat", json=seat))


def sorted_tab(project: int, tasks: tuple[int, ...]) -> dict[str, object]:
    """As the owner leaves the project's tab after sorting and filtering in it: the last item first, and no other."""
    last = {"filter": "filter:tasks:id", "operator": "equal", "type": "Number", "value": tasks[-1]}
    chosen = {"ordering": ["-tasks:id"], "filters": {"conjunction": "and", "items": [last]}}
    return {"project": project, "data": {"title": "Default", "type": "list", "target": "tasks", **chosen}}


def task_ids(owner: httpx.Client, project: int) -> tuple[int, ...]:
    listed = _sound(owner.get(f"/attune/projects/{project}/tasks")).json()["tasks"]
    return tuple(int(task["id"]) for task in listed)


def settle(server: RunningLabelStudio, *, key: str, name: str, text: str) -> Work:
    """An annotator who has begun to work: one item judged, one in draft, one untouched."""
    with owner_client(server) as owner:
        account = new_account(owner, key, name)
        project = new_project(owner, f"{text} project", text)
        put_seat(owner, project, account, heading=f"{text} heading")
        tasks = task_ids(owner, project)
        prediction = {"task": tasks[0], "result": RESULT, "model_version": f"{text}-model"}
        hook = {"url": "http://127.0.0.1:9/webhook", "project": project, "is_active": False}
        predicted = _sound(owner.post("/api/predictions/", json=prediction)).json()
        webhook = _sound(owner.post("/api/webhooks/", json=hook)).json()
        tab = {"project": project, "data": {"title": f"{text} tab", "type": "list", "target": "tasks"}}
        view = _sound(owner.post("/api/dm/views/", json=tab)).json()
    with session_of(server, account) as person:
        judged = {"result": RESULT, "lead_time": 3.5, "project": str(project)}
        annotation = _sound(person.post(f"/api/tasks/{tasks[0]}/annotations/", json=judged)).json()
        draft = _sound(person.post(f"/api/tasks/{tasks[1]}/drafts", json={"result": RESULT})).json()
    return Work(
        account,
        f"{key}@attune.local",
        project,
        tasks,
        annotation["id"],
        draft["id"],
        predicted["id"],
        view["id"],
        webhook["id"],
    )


def _sound(answer: httpx.Response) -> httpx.Response:
    assert answer.is_success, (
        f"{answer.request.method} {answer.url}: {answer.status_code} {answer.text[:300]}"
    )
    return answer
