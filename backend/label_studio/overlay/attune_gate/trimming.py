"""Takes other people's annotations out of what an annotator is shown of a task.

A project may have had another annotator before; Label Studio would show that person's work too.
"""

import json
from collections.abc import Callable

from django.http import HttpResponse

from attune_gate.rewriting import replace_content

_PEOPLES_WORK = {"annotations_results": "", "annotations_ids": "", "annotators": [], "comment_authors": []}


def _task(task: dict, user) -> dict:
    return {
        **task,
        **{name: empty for name, empty in _PEOPLES_WORK.items() if name in task},
        "annotations": [each for each in task.get("annotations") or [] if _author(each) == user.pk],
        "drafts": [each for each in task.get("drafts") or [] if each.get("user") == user.email],
    }


def _tasks(page: dict, user) -> dict:
    return {**page, "tasks": [_task(task, user) for task in page["tasks"]]}


def _author(annotation: dict) -> object:
    author = annotation.get("completed_by")
    return author.get("id") if isinstance(author, dict) else author


TRIMMED: dict[str, Callable[[dict, object], dict]] = {
    "tasks:api:task-detail": _task,
    "tasks:api:task-list": _tasks,
    "data_manager:dm-actions": _task,
}


def trim(response: HttpResponse, view_name: str, user) -> HttpResponse:
    if view_name in TRIMMED and response.status_code == 200:
        trimmed = TRIMMED[view_name](json.loads(response.content), user)
        replace_content(response, json.dumps(trimmed).encode())
    return response
