"""Both Label Studios, the one in memory and a running one, with a project to try the sync's contract on."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import httpx
import pytest

from backend.annotate.label_studio import client as client_module
from backend.annotate.label_studio.client import HttpLabelStudio
from backend.annotate.label_studio.server import LabelStudioServer
from backend.annotate.label_studio.values import Account, ProjectSeen, TaskChanged, TaskSeen
from tests.integration.label_studio_annotator import Annotators, RealAnnotators
from tests.integration.label_studio_server import RunningLabelStudio
from tests.label_studio_fake import FakeLabelStudio
from tests.label_studio_rows import Result

CONFIG = (
    '<View><Text name="post" value="$post"/>'
    '<Choices name="kindness" toName="post" choice="multiple"><Choice value="thanks"/><Choice value="praise"/>'
    "</Choices></View>"
)
TEXTS = {"item-a": "Thank you 🙂 so much", "item-b": "No.", "item-c": "Maybe <b>this</b>"}
NO_PROJECT = 987_654_321


def ticked(*choices: str) -> Result:
    value = {"choices": list(choices)}
    return [{"id": "one", "type": "choices", "from_name": "kindness", "to_name": "post", "value": value}]


@dataclass(frozen=True)
class LabelStudio:
    """A server, and the people who work on it."""

    server: LabelStudioServer
    people: Annotators


@pytest.fixture(params=["in memory", pytest.param("running", marks=pytest.mark.label_studio)])
def studio(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[LabelStudio]:
    if request.param == "in memory":
        fake = FakeLabelStudio(now=datetime(2026, 3, 1, 12, tzinfo=UTC), page=2)
        yield LabelStudio(fake, fake)
        return
    # Pages as small as the other's, so that three tasks are read in two requests.
    monkeypatch.setattr(client_module, "PAGE", 2)
    monkeypatch.setattr(client_module, "INDEX_PAGE", 2)
    running: RunningLabelStudio = request.getfixturevalue("label_studio")
    headers = {"Authorization": f"Token {running.instance.token}"}
    server = HttpLabelStudio(running.url, running.instance.token)
    with httpx.Client(base_url=running.url, headers=headers, trust_env=False, timeout=60) as owner:
        yield LabelStudio(server, RealAnnotators(owner))
    server.close()


_markers = itertools.count(1)


@dataclass(frozen=True)
class Work:
    """A project with three tasks, and two people."""

    studio: LabelStudio
    project: int
    marker: str
    amal: Account
    bea: Account
    tasks: dict[str, int]

    def index(self) -> dict[str, TaskSeen]:
        return {task.item: task for task in self.studio.server.task_index(self.project)}

    def read(self, after: datetime | None = None) -> dict[str, TaskChanged]:
        found = list(self.studio.server.changed_tasks(self.project, after=after))
        assert [task.id for task in found] == sorted({task.id for task in found})
        return {task.item: task for task in found}

    def newest(self) -> datetime:
        newest = self.studio.server.latest_change(self.project)
        assert newest is not None
        return newest

    def seen(self) -> ProjectSeen:
        (found,) = [one for one in self.studio.server.projects() if one.marker == self.marker]
        return found


@pytest.fixture
def work(studio: LabelStudio) -> Work:
    marker = f"attune:contract-{next(_markers)}"
    project = studio.server.create_project(title="Contract", marker=marker, label_config=CONFIG)
    texts = [
        {"item": item, "title": "", "post": post, "replies": [{"text": "fine"}]}
        for item, post in TEXTS.items()
    ]
    studio.server.import_tasks(project, texts)
    amal = studio.server.ensure_account(key="annotator-1", name="Amal")
    bea = studio.server.ensure_account(key="annotator-2", name="Bea")
    tasks = {task.item: task.id for task in studio.server.task_index(project)}
    return Work(studio, project, marker, amal, bea, tasks)
