"""Gives tasks that nobody has begun the predictions they are to show: one each or none, however often it is asked.

Label Studio's own import adds a prediction each time, and to tasks that somebody works on as well.
"""

from collections import defaultdict

from django.db import transaction
from django.http import JsonResponse
from django.shortcuts import get_object_or_404
from projects.models import Project
from tasks.models import Annotation, AnnotationDraft, Prediction, Task

from attune_access.owner_api.requests import BadRequest, field, json_object, owner_only, text
from attune_access.predictions import WITHDRAWN

# Fewer than SQLite's limit of variables in a statement
MOST_TASKS = 500
_LONGEST_VERSION = 100
_WITHDRAWN = {"result": [], "score": None, "model_version": WITHDRAWN}


@owner_only("PUT")
def predictions(request, project_id: int):
    project = get_object_or_404(Project, pk=project_id)
    body = json_object(request)
    wanted = dict(map(_prediction, field(body, "predictions", list)))
    bare = field(body, "without", list)
    if not all(type(each) is int for each in bare):
        raise BadRequest("“without” must be numbers.")
    if len(wanted) + len(bare) > MOST_TASKS or wanted.keys() & set(bare):
        raise BadRequest(f"At most {MOST_TASKS} tasks at a time, each with a prediction or without.")
    version = text(body, "model_version", longest=_LONGEST_VERSION)
    return JsonResponse({"tasks": put_predictions(project, version, wanted, bare)})


@transaction.atomic
def put_predictions(project, version: str, wanted: dict, bare: list) -> list:
    """All in one transaction: a task that somebody begins meanwhile is either seen as begun or was given its own."""
    # The lock comes first: PostgreSQL then lets nobody attach an annotation until this is over.
    asked = [*wanted, *bare]
    there = sorted(project.tasks.select_for_update().filter(pk__in=asked).values_list("pk", flat=True))
    begun = {
        task_id
        for work in (Annotation, AnnotationDraft)
        for task_id in work.objects.filter(task_id__in=there).values_list("task_id", flat=True)
    }
    rows = _rows(there)
    before = {pk: _versions(rows[pk]) for pk in there}
    stale = [pk for pk in there if pk not in begun and before[pk] != ([version] if pk in wanted else [])]
    _change(version, wanted, {pk: rows[pk] for pk in stale if rows[pk]})
    fresh = [pk for pk in stale if not rows[pk]]
    made = (_row(project, version, pk, wanted[pk]) for pk in fresh)
    Prediction.objects.bulk_create(made)
    # Not by saving each: that would move the task's time, and the sync would read them all again.
    given = set(stale) & wanted.keys()
    Task.objects.filter(pk__in=given).update(total_predictions=1)
    Task.objects.filter(pk__in=set(stale) - given).update(total_predictions=0)
    _show(project, version)
    now = _rows(there)
    return [{"id": pk, "begun": pk in begun, "before": before[pk], "now": _versions(now[pk])} for pk in there]


def _change(version: str, wanted: dict, rows: dict) -> None:
    """In the row that is there: whoever has the task open names it when they submit, and must not be refused."""
    for pk, (first, *others) in rows.items():
        content = {**wanted[pk], "model_version": version} if pk in wanted else _WITHDRAWN
        Prediction.objects.filter(pk=first.pk).update(**content)
        Prediction.objects.filter(pk__in=[row.pk for row in others]).delete()


def _row(project, version: str, task_id: int, wanted: dict) -> Prediction:
    return Prediction(task_id=task_id, project=project, model_version=version, **wanted)


def _show(project, version: str) -> None:
    """Also where all were withdrawn: what was begun from one is submitted with its number."""
    is_shown = bool(version) or Prediction.objects.filter(project=project).exists()
    Project.objects.filter(pk=project.pk).update(model_version=version, show_collab_predictions=is_shown)


def _rows(task_ids: list) -> dict:
    found: dict = defaultdict(list)
    for row in Prediction.objects.filter(task_id__in=task_ids).defer("result").order_by("pk"):
        found[row.task_id].append(row)
    return found


def _versions(rows: list) -> list:
    """The models behind a task's predictions, each as often as it has one."""
    return [row.model_version or "" for row in rows if row.model_version != WITHDRAWN]


def _prediction(given: object) -> tuple[int, dict]:
    if not isinstance(given, dict) or type(given.get("task")) is not int:
        raise BadRequest("Each prediction must name its task by number.")
    rows, score = given.get("result"), given.get("score")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise BadRequest("Each prediction must have a “result”, a list of objects.")
    if score is not None and type(score) not in (int, float):
        raise BadRequest("A “score” is a number or null.")
    return given["task"], {"result": rows, "score": score}
