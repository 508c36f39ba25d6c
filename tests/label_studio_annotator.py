"""The annotators' side of the Label Studio in memory: what people do in their browsers, and what it moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import count

from tests.label_studio_rows import (
    FakeAnnotation,
    FakeDraft,
    FakePrediction,
    FakeProject,
    FakeTask,
    Result,
    Webhook,
    WebhookCall,
)

TICK = timedelta(milliseconds=1)


class AnnotatorsSide:
    """Anybody may annotate anything and as often as they like, under any names: that is how the real one is.

    The clock stands still until something is written. `calls` holds every webhook call that was made; a test
    that listens drops, doubles and shuffles them as it likes.
    """

    def __init__(self, *, now: datetime) -> None:
        self.now = now
        self.calls: list[WebhookCall] = []
        self.listener: Callable[[WebhookCall], None] | None = None
        self._late = timedelta(0)
        self._projects: dict[int, FakeProject] = {}
        self._tasks: dict[int, FakeTask] = {}
        self._next_id = {kind: count(1).__next__ for kind in ("project", "annotation", "draft", "guess")}

    def submit(
        self,
        task_id: int,
        account_id: int,
        result: Result,
        *,
        lead_seconds: float | None = None,
        prediction_id: int | None = None,
        draft_id: int | None = None,
    ) -> int:
        task = self._tasks[task_id]
        made = self._add(task, account_id, result)
        made.lead_seconds, made.prediction_id = lead_seconds, prediction_id
        if draft_id is not None:
            made.draft_created_at = task.drafts.pop(draft_id).created_at
        self._after_write(task, "ANNOTATION_CREATED")
        return made.id

    def skip(self, task_id: int, account_id: int) -> int:
        task = self._tasks[task_id]
        made = self._add(task, account_id, [])
        made.skipped = True
        self._after_write(task, "ANNOTATION_CREATED")
        return made.id

    def change(
        self, annotation_id: int, result: Result, *, skipped: bool = False, lead_seconds: float | None = None
    ) -> None:
        """An edit after submit; with `skipped` it skips, or takes the skip back."""
        task, annotation = self._find(annotation_id)
        annotation.result, annotation.skipped, annotation.updated_at = result, skipped, self._moment()
        if lead_seconds is not None:
            annotation.lead_seconds = lead_seconds
        task.drafts = {
            key: draft for key, draft in task.drafts.items() if draft.annotation_id != annotation_id
        }
        self._after_write(task, "ANNOTATION_UPDATED")

    def delete_annotation(self, annotation_id: int) -> None:
        task, _ = self._find(annotation_id)
        del task.annotations[annotation_id]
        task.drafts = {
            key: draft for key, draft in task.drafts.items() if draft.annotation_id != annotation_id
        }
        self._after_write(task, "ANNOTATIONS_DELETED")

    def convert_to_draft(self, annotation_id: int) -> int:
        """Takes a submit back: the annotation is gone, and what was in it is a draft."""
        task, annotation = self._find(annotation_id)
        draft = self.save_draft(task.id, annotation.result)
        self.delete_annotation(annotation_id)
        return draft

    def save_draft(self, task_id: int, result: Result, *, annotation_id: int | None = None) -> int:
        """Moves no time of the task and calls no webhook; what is in it, nobody else can read."""
        draft = FakeDraft(self._next_id["draft"](), self._moment(), annotation_id)
        self._tasks[task_id].drafts[draft.id] = draft
        return draft.id

    def delete_draft(self, draft_id: int) -> None:
        for task in self._tasks.values():
            task.drafts.pop(draft_id, None)

    def import_prediction(self, task_id: int, result: Result) -> int:
        """By the bulk import, which moves no time of the task."""
        number = self._next_id["guess"]()
        self._tasks[task_id].predictions[number] = FakePrediction(number, "guess", tuple(result), 0.5)
        return number

    def suggested(self, task_id: int) -> Result:
        """What whoever opens the task finds filled in."""
        task = self._tasks[task_id]
        project = self._projects[task.project_id]
        shown = (
            [each for each in task.predictions.values() if each.version == project.model_version]
            if project.shows_predictions
            else []
        )
        return [dict(row) for each in shown for row in each.rows]

    def delete_task(self, task_id: int) -> None:
        """By hand, in the owner's browser: the annotations go with it, and nothing tells."""
        del self._tasks[task_id]

    def webhooks(self, project_id: int) -> list[Webhook]:
        return list(self._projects[project_id].webhooks)

    def add_webhook(self, project_id: int, webhook: Webhook) -> None:
        self._projects[project_id].webhooks.append(webhook)

    @contextmanager
    def slow_to_commit(self, by: timedelta) -> Iterator[None]:
        """What is written within gets a time that lies behind what others can already see."""
        self._late = by
        try:
            yield
        finally:
            self._late = timedelta(0)

    def _add(self, task: FakeTask, account_id: int, result: Result) -> FakeAnnotation:
        moment = self._moment()
        made = FakeAnnotation(self._next_id["annotation"](), account_id, result, moment, moment)
        task.annotations[made.id] = made
        return made

    def _find(self, annotation_id: int) -> tuple[FakeTask, FakeAnnotation]:
        task = next(task for task in self._tasks.values() if annotation_id in task.annotations)
        return task, task.annotations[annotation_id]

    def _after_write(self, task: FakeTask, action: str) -> None:
        task.updated_at = self._moment()
        for webhook in self._projects[task.project_id].webhooks:
            call = WebhookCall(action, task.project_id, webhook.url, webhook.secret)
            self.calls.append(call)
            if self.listener is not None:
                self.listener(call)

    def _moment(self) -> datetime:
        self.now += TICK
        return self.now - self._late
