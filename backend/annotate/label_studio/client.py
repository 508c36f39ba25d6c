"""Attune's client of Label Studio: the SDK for its settings, plain requests where there is much to carry."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache

import msgspec
from django.conf import settings

from backend.annotate.label_studio.connection import IMPORT_TIMEOUT, Connection
from backend.annotate.label_studio.errors import LabelStudioRefused, LabelStudioUnreadable
from backend.annotate.label_studio.imports import import_bodies
from backend.annotate.label_studio.listing import TaskPage, changed_page, changes_query
from backend.annotate.label_studio.predicting import put_predictions
from backend.annotate.label_studio.project_settings import PROJECT_SETTINGS, fitting_title
from backend.annotate.label_studio.replies import PROJECT_FIELDS, DeletedTasks, IndexPage, ProjectPage
from backend.annotate.label_studio.server import LabelStudioServer
from backend.annotate.label_studio.values import (
    Account,
    PredictionsSeen,
    ProjectSeen,
    TaskChanged,
    TaskPrediction,
    TaskSeen,
)
from backend.annotate.label_studio.webhooks import ensure_one_webhook

PAGE = 500
INDEX_PAGE = 5_000


class HttpLabelStudio:
    """A running Label Studio, with its owner's rights; one object serves all threads of a process."""

    def __init__(self, base_url: str, token: str) -> None:
        self._connection = Connection(base_url, token)

    def close(self) -> None:
        self._connection.close()

    def projects(self) -> list[ProjectSeen]:
        found: list[ProjectSeen] = []
        for number in range(1, 1_000_000):
            page = self._connection.ask(
                "GET",
                "/api/projects/",
                doing="list its projects",
                answer=ProjectPage,
                params={"include": PROJECT_FIELDS, "ordering": "id", "page_size": 1000, "page": number},
            )
            found.extend(listed.seen() for listed in page.results)
            if page.next is None:
                break
        return found

    def create_project(self, *, title: str, marker: str, label_config: str) -> int:
        doing = "create a project"
        with self._connection.named_errors(doing):
            created = self._connection.sdk.projects.create(
                title=fitting_title(title), description=marker, label_config=label_config, **PROJECT_SETTINGS
            )
        if created.id is None:
            raise LabelStudioUnreadable(doing)
        return created.id

    def update_project(self, project_id: int, *, title: str, label_config: str) -> None:
        with self._connection.named_errors("change a project", project_id):
            self._connection.sdk.projects.update(
                project_id, title=fitting_title(title), label_config=label_config
            )

    def delete_project(self, project_id: int) -> None:
        with self._connection.named_errors("delete a project", project_id):
            self._connection.sdk.projects.delete(project_id)

    def ensure_webhook(self, project_id: int, *, url: str, secret: str) -> None:
        with self._telling_if_gone(project_id), self._connection.named_errors("set a webhook", project_id):
            ensure_one_webhook(self._connection.sdk, project_id, url=url, secret=secret)

    def ensure_account(self, *, key: str, name: str) -> Account:
        path = f"/attune/annotators/{key}"
        return self._connection.ask("PUT", path, doing="make an account", answer=Account, body={"name": name})

    def set_seat(
        self, project_id: int, *, account_id: int, is_open: bool, return_url: str, heading: str
    ) -> None:
        seat = {"annotator": account_id, "open": is_open, "return_url": return_url, "heading": heading}
        self._connection.send(
            "PUT",
            f"/attune/projects/{project_id}/seat",
            doing="give a project its annotator",
            project_id=project_id,
            content=msgspec.json.encode(seat),
        )

    def remove_seat(self, project_id: int) -> None:
        path = f"/attune/projects/{project_id}/seat"
        self._connection.send("DELETE", path, doing="take a project's annotator off", project_id=project_id)

    def import_tasks(self, project_id: int, tasks: Sequence[Mapping[str, object]]) -> None:
        for body in import_bodies(tasks):
            with self._telling_if_gone(project_id):
                self._connection.send(
                    "POST",
                    f"/api/projects/{project_id}/import",
                    doing="import tasks",
                    project_id=project_id,
                    content=body,
                    timeout=IMPORT_TIMEOUT,
                )

    def task_index(self, project_id: int, *, item: str | None = None) -> list[TaskSeen]:
        found: list[TaskSeen] = []
        only = {} if item is None else {"item": item}
        after: int | None = 0
        while after is not None:
            page = self._connection.ask(
                "GET",
                f"/attune/projects/{project_id}/tasks",
                doing="index a project's tasks",
                answer=IndexPage,
                project_id=project_id,
                params={"after": after, "limit": INDEX_PAGE, **only},
            )
            found.extend(indexed.seen() for indexed in page.tasks)
            after = page.next
        return found

    def delete_unannotated_tasks(self, project_id: int, ids: Sequence[int]) -> frozenset[int]:
        answer = self._connection.ask(
            "DELETE",
            f"/attune/projects/{project_id}/tasks",
            doing="delete tasks that nobody has annotated",
            answer=DeletedTasks,
            project_id=project_id,
            body={"ids": list(ids)},
        )
        return frozenset(answer.deleted)

    def set_predictions(
        self,
        project_id: int,
        *,
        version: str,
        predictions: Sequence[TaskPrediction],
        without: Sequence[int],
    ) -> list[PredictionsSeen]:
        return put_predictions(self._connection, project_id, version, predictions, without)

    def latest_change(self, project_id: int) -> datetime | None:
        query = changes_query(after=None, newest_first=True)
        page = self._list_tasks(project_id, {"query": query, "page_size": 1})
        return page.tasks[0].updated_at if page.tasks else None

    def changed_tasks(self, project_id: int, *, after: datetime | None) -> Iterator[TaskChanged]:
        last_id = 0
        while True:
            query = changes_query(after=after, after_id=last_id)
            page = self._list_tasks(project_id, {"query": query, "page_size": PAGE, "fields": "all"})
            yield from changed_page(page)
            if len(page.tasks) < PAGE:
                return
            last_id = page.tasks[-1].id

    def annotation_exists(self, annotation_id: int) -> bool:
        try:
            self._connection.send("GET", f"/api/annotations/{annotation_id}/", doing="look for an annotation")
        except LabelStudioRefused as refusal:
            if refusal.status == 404:
                return False
            raise
        return True

    @contextmanager
    def _telling_if_gone(self, project_id: int) -> Iterator[None]:
        """Some calls blame something else when the project is gone; asked for the project itself, it tells."""
        try:
            yield
        except LabelStudioRefused:
            path = f"/api/projects/{project_id}/"
            self._connection.send("GET", path, doing="find a project", project_id=project_id)
            raise

    def _list_tasks(self, project_id: int, params: Mapping[str, str | int]) -> TaskPage:
        return self._connection.ask(
            "GET",
            "/api/tasks/",
            doing="list changed tasks",
            answer=TaskPage,
            project_id=project_id,
            params={"project": project_id, "resolve_uri": "false", **params},
        )


def connect() -> LabelStudioServer:
    """The Label Studio of this instance; its connections are shared within a process and never across a fork."""
    address = settings.LABEL_STUDIO_INSIDE_URL or settings.LABEL_STUDIO_URL
    return _connect(os.getpid(), address, settings.LABEL_STUDIO_TOKEN)


@lru_cache(maxsize=1)
def _connect(process: int, base_url: str, token: str) -> HttpLabelStudio:
    return HttpLabelStudio(base_url, token)
