"""Takes other people's work, and hidden predictions, out of what an annotator is shown.

A project may have had another annotator before: Label Studio would show that person's annotations, and count them.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.http import HttpResponse

from attune_access import predictions
from attune_access.models import Seat
from attune_access.own_work import TaskWork, work_on_project, work_on_tasks

_STACKED_WORK = {"annotations_results": "", "annotations_ids": "", "comment_authors": []}


@dataclass(frozen=True)
class Eyes:
    """Who is looking, at which project, and whether predictions are shown in it."""

    user_id: int
    email: str
    project_id: int
    see_predictions: bool


def trim(request, response: HttpResponse, seat: Seat) -> None:
    trimmed = TRIMMED.get(request.resolver_match.view_name)
    if trimmed is None or response.status_code != 200:
        return
    user, project_id = request.user, seat.project_id
    eyes = Eyes(user.pk, user.email, project_id, predictions.are_shown(project_id))
    replace_content(response, json.dumps(trimmed(json.loads(response.content), eyes)).encode())


def _one_task(task: dict, eyes: Eyes) -> dict:
    own = work_on_tasks(eyes.user_id, eyes.project_id, [task["id"]])
    return _task(task, eyes, own[task["id"]])


def _task_page(page: dict, eyes: Eyes) -> dict:
    own = work_on_tasks(eyes.user_id, eyes.project_id, [task["id"] for task in page["tasks"]])
    return {
        **_with(page, {} if eyes.see_predictions else predictions.OF_A_TASK),
        "tasks": [_task(task, eyes, own[task["id"]]) for task in page["tasks"]],
        "total_annotations": work_on_project(eyes.user_id, eyes.project_id)["total_annotations_number"],
    }


def _task(task: dict, eyes: Eyes, own: TaskWork) -> dict:
    return _with(
        task,
        {
            **_STACKED_WORK,
            **own.as_fields(task, eyes.user_id),
            **(
                {"predictions": predictions.kept_predictions(task)}
                if eyes.see_predictions
                else predictions.OF_A_TASK
            ),
            "annotations": [each for each in task.get("annotations") or [] if _author(each) == eyes.user_id],
            "drafts": [each for each in task.get("drafts") or [] if each.get("user") == eyes.email],
        },
    )


def _project(project: dict, eyes: Eyes) -> dict:
    hidden = {} if eyes.see_predictions else predictions.OF_A_PROJECT
    return _with(project, {**work_on_project(eyes.user_id, eyes.project_id), **hidden})


def _with(answer: dict, changes: Mapping) -> dict:
    """Only the fields that are there: which ones a page gets depends on what it asked for."""
    return {**answer, **{name: value for name, value in changes.items() if name in answer}}


def _author(annotation: dict) -> object:
    author = annotation.get("completed_by")
    return author.get("id") if isinstance(author, dict) else author


TRIMMED: Mapping[str, Callable[[dict, Eyes], dict]] = {
    "tasks:api:task-detail": _one_task,
    "tasks:api:task-list": _task_page,
    "data_manager:dm-actions": _one_task,
    "data_manager:dm-project": _project,
    "projects:api:project-detail": _project,
}


def replace_content(response: HttpResponse, content: bytes) -> None:
    """Changes an answer on its way out; its length was set further in."""
    response.content = content
    if response.has_header("Content-Length"):
        response["Content-Length"] = str(len(content))
