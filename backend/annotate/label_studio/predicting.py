"""Sends predictions in requests that the access app carries out whole: each is one transaction of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backend.annotate.label_studio.connection import Connection
from backend.annotate.label_studio.replies import PredictedTasks
from backend.annotate.label_studio.values import PredictionsSeen, TaskPrediction

MOST_TASKS = 250


def put_predictions(
    connection: Connection,
    project_id: int,
    version: str,
    predictions: Sequence[TaskPrediction],
    without: Sequence[int],
) -> list[PredictionsSeen]:
    """At least one request is made, so that the project shows or hides predictions as it should."""
    found: list[PredictionsSeen] = []
    for chunk, bare in _chunks(predictions, without):
        answer = connection.ask(
            "PUT",
            f"/attune/projects/{project_id}/predictions",
            doing="set what a project's tasks suggest",
            answer=PredictedTasks,
            project_id=project_id,
            body={
                "model_version": version,
                "predictions": [
                    {"task": each.task_id, "result": each.rows, "score": each.score} for each in chunk
                ],
                "without": list(bare),
            },
        )
        found.extend(task.seen() for task in answer.tasks)
    return found


def _chunks(
    predictions: Sequence[TaskPrediction], without: Sequence[int]
) -> Iterator[tuple[Sequence[TaskPrediction], Sequence[int]]]:
    for start in range(0, max(len(predictions), len(without), 1), MOST_TASKS):
        yield predictions[start : start + MOST_TASKS], without[start : start + MOST_TASKS]
