"""Label Studio's listing of tasks: how it is asked for changes, and how its pages are read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from backend.annotate.label_studio.connection import readable
from backend.annotate.label_studio.values import AnnotationSeen, TaskChanged

# Made up anew for each answer: the age in words ("5 minutes") and the account's name.
_NOT_OF_THE_ANNOTATION = ("created_ago", "created_username")


class TaskData(msgspec.Struct):
    """A task that somebody added by hand may show no item of ours, and may show it under any type."""

    item: object = ""


class ListedAnnotation(msgspec.Struct):
    id: int
    completed_by: int | None
    was_cancelled: bool
    parent_prediction: int | None
    lead_time: float | None
    created_at: datetime
    updated_at: datetime
    result: object = None


class ListedTask(msgspec.Struct):
    id: int
    updated_at: datetime
    data: TaskData
    annotations: list[dict[str, object]] = []


class TaskPage(msgspec.Struct):
    tasks: list[ListedTask]


def changes_query(*, after: datetime | None, after_id: int = 0, newest_first: bool = False) -> str:
    """Pages by id and not by number: a task that appears or vanishes meanwhile then hides no other."""
    conditions: list[dict[str, object]] = [_condition("id", "Number", after_id)]
    if after is not None:
        conditions.append(_condition("updated_at", "Datetime", _instant(after)))
    query: dict[str, object] = {"filters": {"conjunction": "and", "items": conditions}}
    if newest_first:
        query["ordering"] = ["-tasks:updated_at"]
    return msgspec.json.encode(query).decode()


def changed_page(page: TaskPage) -> list[TaskChanged]:
    with readable("list changed tasks"):
        return [_changed_task(task) for task in page.tasks]


def _changed_task(task: ListedTask) -> TaskChanged:
    # What somebody typed there may hold a NUL, which PostgreSQL stores in no text.
    item = task.data.item.replace("\x00", "") if isinstance(task.data.item, str) else ""
    annotations = sorted((_annotation(task.id, one) for one in task.annotations), key=lambda one: one.id)
    return TaskChanged(task.id, item, task.updated_at, tuple(annotations))


def canonical_json(annotation: dict[str, object]) -> str:
    """Sorted keys, no spaces, no escapes of what UTF-8 can say.

    >>> canonical_json({"id": 7, "created_ago": "0 minutes", "a": "é"})
    '{"a":"é","id":7}'
    """
    kept = {name: value for name, value in annotation.items() if name not in _NOT_OF_THE_ANNOTATION}
    return json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _annotation(task_id: int, received: dict[str, object]) -> AnnotationSeen:
    listed = msgspec.convert(received, ListedAnnotation)
    return AnnotationSeen(
        id=listed.id,
        task_id=task_id,
        account_id=listed.completed_by or 0,
        skipped=listed.was_cancelled,
        from_prediction=listed.parent_prediction is not None or _any_predicted(listed.result),
        lead_seconds=listed.lead_time,
        created_at=listed.created_at,
        updated_at=listed.updated_at,
        body=canonical_json(received),
    )


def _any_predicted(result: object) -> bool:
    """Deleting a prediction cuts the link to it; the rows still say where they came from."""
    rows: Sequence[object] = result if isinstance(result, list) else ()
    return any(isinstance(row, dict) and str(row.get("origin", "")).startswith("prediction") for row in rows)


def _condition(column: str, kind: str, value: object) -> dict[str, object]:
    return {"filter": f"filter:tasks:{column}", "operator": "greater", "type": kind, "value": value}


def _instant(moment: datetime) -> str:
    """The one form that Label Studio reads: microseconds and a Z. Anything else it answers with a 500."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
