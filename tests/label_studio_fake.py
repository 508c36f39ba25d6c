"""A Label Studio in memory that behaves as the real one was measured to, and fails when a test says so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import count
from typing import Literal
from xml.etree import ElementTree

import msgspec

from backend.annotate.label_studio.errors import LabelStudioRefused, LabelStudioUnreachable, ProjectGone
from backend.annotate.label_studio.listing import ListedTask, TaskPage, changed_page
from backend.annotate.label_studio.project_settings import fitting_title
from backend.annotate.label_studio.values import (
    Account,
    PredictionsSeen,
    ProjectSeen,
    TaskChanged,
    TaskPrediction,
    TaskSeen,
)
from tests.label_studio_annotator import AnnotatorsSide
from tests.label_studio_rows import WITHDRAWN, FakePrediction, FakeProject, FakeTask, Seat, Webhook

OWNER_ID = 1
When = Literal["before", "middle", "after"]


class FakeLabelStudio(AnnotatorsSide):
    """Implements LabelStudioServer. Nothing is idempotent that is not so in truth."""

    def __init__(self, *, now: datetime, page: int = 3) -> None:
        super().__init__(now=now)
        self.accounts: dict[str, Account] = {}
        self.names: dict[int, str] = {}
        self.seats: dict[int, Seat] = {}
        self._page = page
        self._faults: defaultdict[str, list[When]] = defaultdict(list)
        self._account_numbers = count(OWNER_ID + 1)
        self._meanwhile: dict[str, Callable[[], object]] = {}

    def fail_next(self, method: str, when: When = "before") -> None:
        """Its next call gets no answer. "After": all was done all the same. "Middle": half of an import was done,
        or one page of a listing was read."""
        self._faults[method].append(when)

    def meanwhile(self, method: str, happens: Callable[[], object]) -> None:
        """Its next call is slow: this happens before it is done."""
        self._meanwhile[method] = happens

    def set_up_afresh(self) -> None:
        """All data is lost; whatever is made next gets the numbers that others had."""
        self._projects.clear()
        self._tasks.clear()
        self.accounts.clear()
        self.names.clear()
        self.seats.clear()
        self._next_id = {kind: count(1).__next__ for kind in self._next_id}
        self._account_numbers = count(OWNER_ID + 1)

    def projects(self) -> list[ProjectSeen]:
        with self._answering("projects"):
            return [self._project_seen(project) for project in self._projects.values()]

    def create_project(self, *, title: str, marker: str, label_config: str) -> int:
        with self._answering("create_project"):
            _check_config(label_config, "create a project")
            made = FakeProject(self._next_id["project"](), fitting_title(title), marker, label_config)
            self._projects[made.id] = made
        return made.id

    def update_project(self, project_id: int, *, title: str, label_config: str) -> None:
        with self._answering("update_project"):
            project = self._project(project_id)
            _check_config(label_config, "change a project")
            project.title, project.label_config = fitting_title(title), label_config

    def delete_project(self, project_id: int) -> None:
        with self._answering("delete_project"):
            self._project(project_id)
            del self._projects[project_id]
            self.seats.pop(project_id, None)
            self._tasks = {key: task for key, task in self._tasks.items() if task.project_id != project_id}

    def ensure_webhook(self, project_id: int, *, url: str, secret: str) -> None:
        with self._answering("ensure_webhook"):
            self._project(project_id).webhooks = [Webhook(url, secret)]

    def ensure_account(self, *, key: str, name: str) -> Account:
        with self._answering("ensure_account"):
            if key not in self.accounts:
                self.accounts[key] = Account(next(self._account_numbers), f"{key}@attune.local")
            self.names[self.accounts[key].id] = name
        return self.accounts[key]

    def set_seat(
        self, project_id: int, *, account_id: int, is_open: bool, return_url: str, heading: str
    ) -> None:
        with self._answering("set_seat"):
            self._project(project_id)
            if account_id not in self.names:
                raise LabelStudioRefused("give a project its annotator", 400)
            self.seats[project_id] = Seat(account_id, is_open, return_url, heading)

    def remove_seat(self, project_id: int) -> None:
        with self._answering("remove_seat"):
            self._project(project_id)
            self.seats.pop(project_id, None)

    def import_tasks(self, project_id: int, tasks: Sequence[Mapping[str, object]]) -> None:
        with self._answering("import_tasks") as fault:
            self._project(project_id)
            for data in tasks[: len(tasks) // 2] if fault == "middle" else tasks:
                # As on SQLite: the number of a deleted task may come again, even in another project.
                number = max(self._tasks, default=0) + 1
                made = FakeTask(number, project_id, dict(data), self._moment())
                self._tasks[made.id] = made

    def task_index(self, project_id: int, *, item: str | None = None) -> list[TaskSeen]:
        with self._answering("task_index"):
            self._project(project_id)
            seen = [_task_seen(task) for task in self._tasks_of(project_id)]
            return seen if item is None else [task for task in seen if task.item == item]

    def delete_unannotated_tasks(self, project_id: int, ids: Sequence[int]) -> frozenset[int]:
        with self._answering("delete_unannotated_tasks"):
            self._project(project_id)
            untouched = {
                task.id for task in self._tasks_of(project_id) if not task.annotations and not task.drafts
            }
            free = untouched & set(ids)
            for task_id in free:
                del self._tasks[task_id]
        return frozenset(free)

    def set_predictions(
        self,
        project_id: int,
        *,
        version: str,
        predictions: Sequence[TaskPrediction],
        without: Sequence[int],
    ) -> list[PredictionsSeen]:
        """ "Middle": half of the tasks got theirs, as when the second of two requests was cut off."""
        with self._answering("set_predictions") as fault:
            project = self._project(project_id)
            wanted: dict[int, TaskPrediction | None] = {each.task_id: each for each in predictions}
            wanted |= dict.fromkeys(without)
            project.model_version, project.shows_predictions = version, bool(version)
            here = [task for task in self._tasks_of(project_id) if task.id in wanted]
            done = here[: len(here) // 2] if fault == "middle" else here
            seen = [self._predict(task, version, wanted[task.id]) for task in done]
            project.shows_predictions |= any(task.predictions for task in self._tasks_of(project_id))
        return seen

    def _predict(self, task: FakeTask, version: str, wanted: TaskPrediction | None) -> PredictionsSeen:
        """In the row that is there, which keeps its number; one that is taken back is empty."""
        begun = bool(task.annotations or task.drafts)
        before = task.versions()
        if not begun and before != ((version,) if wanted else ()):
            number = min(task.predictions, default=0) or (self._next_id["guess"]() if wanted else 0)
            rows, score = (wanted.rows, wanted.score) if wanted else ((), None)
            made = FakePrediction(number, version if wanted else WITHDRAWN, rows, score)
            task.predictions = {number: made} if number else {}
        return PredictionsSeen(task.id, begun, before, task.versions())

    def latest_change(self, project_id: int) -> datetime | None:
        with self._answering("latest_change"):
            self._project(project_id)
            return max((task.updated_at for task in self._tasks_of(project_id)), default=None)

    def changed_tasks(self, project_id: int, *, after: datetime | None) -> Iterator[TaskChanged]:
        last_id = 0
        with self._answering("changed_tasks") as fault:
            while True:
                self._project(project_id)
                rest = [task for task in self._changed(project_id, after) if task.id > last_id][: self._page]
                yield from _as_client_reads(rest)
                if len(rest) < self._page or fault == "middle":
                    return
                last_id = rest[-1].id

    def annotation_exists(self, annotation_id: int) -> bool:
        with self._answering("annotation_exists"):
            return any(annotation_id in task.annotations for task in self._tasks.values())

    @contextmanager
    def _answering(self, method: str) -> Iterator[When | None]:
        if method in self._meanwhile:
            self._meanwhile.pop(method)()
        fault = self._faults[method].pop(0) if self._faults[method] else None
        if fault == "before":
            raise LabelStudioUnreachable(method, "ConnectError")
        yield fault
        if fault is not None:
            raise LabelStudioUnreachable(method, "RemoteProtocolError")

    def _project(self, project_id: int) -> FakeProject:
        if project_id not in self._projects:
            raise ProjectGone(project_id, "find a project")
        return self._projects[project_id]

    def _tasks_of(self, project_id: int) -> list[FakeTask]:
        return [task for task in self._tasks.values() if task.project_id == project_id]

    def _changed(self, project_id: int, after: datetime | None) -> list[FakeTask]:
        return [task for task in self._tasks_of(project_id) if after is None or task.updated_at > after]

    def _project_seen(self, project: FakeProject) -> ProjectSeen:
        tasks = self._tasks_of(project.id)
        done = sum(task.count(skipped=False) for task in tasks)
        skipped = sum(task.count(skipped=True) for task in tasks)
        return ProjectSeen(project.id, project.title, project.marker, len(tasks), done, skipped)


def _as_client_reads(tasks: list[FakeTask]) -> list[TaskChanged]:
    """Through JSON and through the client's own reading, so that both sides give the same bodies."""
    listed = msgspec.json.encode([task.listed() for task in tasks])
    return changed_page(TaskPage(msgspec.json.decode(listed, type=list[ListedTask])))


def _task_seen(task: FakeTask) -> TaskSeen:
    item = task.data.get("item")
    return TaskSeen(
        id=task.id,
        item=item if isinstance(item, str) else "",
        annotations=task.count(skipped=False),
        skipped=task.count(skipped=True),
        drafts=len(task.drafts),
        updated_at=task.updated_at,
    )


def _check_config(label_config: str, doing: str) -> None:
    try:
        ElementTree.fromstring(label_config)
    except ElementTree.ParseError:
        raise LabelStudioRefused(doing, 400, ("label_config",)) from None
