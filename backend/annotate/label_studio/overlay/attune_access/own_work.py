"""What one annotator has done, counted as Label Studio counts the work of everybody together."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import fmean

from django.db.models import Count, Q
from tasks.models import Annotation, AnnotationDraft


@dataclass
class TaskWork:
    """An annotator's work on one task."""

    done: int = 0
    skipped: int = 0
    lead_times: list[float] = field(default_factory=list)
    completed_at: datetime | None = None
    updated_at: datetime | None = None
    has_draft: bool = False

    def add(self, row: Mapping) -> None:
        self.skipped += row["was_cancelled"]
        self.done += not row["was_cancelled"]
        if row["lead_time"] is not None:
            self.lead_times.append(row["lead_time"])
        self.completed_at = max(self.completed_at or row["created_at"], row["created_at"])
        self.updated_at = max(self.updated_at or row["updated_at"], row["updated_at"])

    def as_fields(self, task: Mapping, user_id: int) -> dict:
        """Every field of a task that depends on who has worked on it."""
        has_begun = bool(self.done or self.skipped)
        return {
            "total_annotations": self.done,
            "cancelled_annotations": self.skipped,
            "is_labeled": self.done > 0,
            "annotators": [user_id] if has_begun else [],
            "updated_by": [{"user_id": user_id}] if has_begun else [],
            "completed_at": _write_time(self.completed_at),
            "updated_at": _write_time(self.updated_at) or task.get("created_at"),
            "avg_lead_time": fmean(self.lead_times) if self.lead_times else None,
            "draft_exists": self.has_draft,
        }


def work_on_tasks(user_id: int, project_id: int, task_ids: Sequence[int]) -> Mapping[int, TaskWork]:
    """By a range of ids, because a page may hold more tasks than a statement may hold variables."""
    found: dict[int, TaskWork] = defaultdict(TaskWork)
    if not task_ids:
        return found
    here = {
        "task__project_id": project_id,
        "task_id__gte": min(task_ids),
        "task_id__lte": max(task_ids),
    }
    columns = ("task_id", "was_cancelled", "lead_time", "created_at", "updated_at")
    for row in Annotation.objects.filter(completed_by_id=user_id, **here).values(*columns):
        found[row["task_id"]].add(row)
    for task_id in AnnotationDraft.objects.filter(user_id=user_id, **here).values_list("task_id", flat=True):
        found[task_id].has_draft = True
    return found


def work_on_project(user_id: int, project_id: int) -> dict:
    """The fields of a project that depend on who has worked in it."""
    own = Annotation.objects.filter(completed_by_id=user_id, task__project_id=project_id)
    is_skip = Q(was_cancelled=True)
    counted = own.aggregate(
        done=Count("pk", filter=~is_skip),
        skipped=Count("pk", filter=is_skip),
        tasks=Count("task_id", filter=~is_skip, distinct=True),
    )
    return {
        "annotation_count": counted["done"] + counted["skipped"],
        "total_annotations_number": counted["done"],
        "useful_annotation_number": counted["done"],
        "skipped_annotations_number": counted["skipped"],
        "num_tasks_with_annotations": counted["tasks"],
        "finished_task_number": counted["tasks"],
        "ground_truth_number": 0,
    }


def _write_time(moment: datetime | None) -> str | None:
    return moment.isoformat().replace("+00:00", "Z") if moment else None
