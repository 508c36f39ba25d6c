"""The shapes of Label Studio's answers, as far as Attune reads them."""

from __future__ import annotations

from datetime import datetime

import msgspec

from backend.annotate.label_studio.values import PredictionsSeen, ProjectSeen, TaskSeen

PROJECT_FIELDS = "id,title,description,task_number,total_annotations_number,skipped_annotations_number"


class ListedProject(msgspec.Struct):
    """Its total of annotations leaves the skipped ones out, whatever its documentation says."""

    id: int
    title: str | None
    description: str | None
    task_number: int
    total_annotations_number: int
    skipped_annotations_number: int

    def seen(self) -> ProjectSeen:
        return ProjectSeen(
            id=self.id,
            title=self.title or "",
            marker=self.description or "",
            tasks=self.task_number,
            annotations=self.total_annotations_number,
            skipped=self.skipped_annotations_number,
        )


class ProjectPage(msgspec.Struct):
    results: list[ListedProject]
    next: str | None


class IndexedTask(msgspec.Struct):
    """Of the access app's index; a task that somebody added by hand shows no item of ours."""

    id: int
    item: str | None
    annotations: int
    skipped: int
    drafts: int
    updated_at: datetime

    def seen(self) -> TaskSeen:
        return TaskSeen(
            id=self.id,
            item=self.item or "",
            annotations=self.annotations,
            skipped=self.skipped,
            drafts=self.drafts,
            updated_at=self.updated_at,
        )


class IndexPage(msgspec.Struct):
    tasks: list[IndexedTask]
    next: int | None


class DeletedTasks(msgspec.Struct):
    deleted: list[int]


class PredictedTask(msgspec.Struct):
    id: int
    begun: bool
    before: tuple[str, ...]
    now: tuple[str, ...]

    def seen(self) -> PredictionsSeen:
        return PredictionsSeen(task_id=self.id, begun=self.begun, before=self.before, now=self.now)


class PredictedTasks(msgspec.Struct):
    tasks: list[PredictedTask]
