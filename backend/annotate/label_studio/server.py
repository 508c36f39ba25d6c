"""What the sync needs of a Label Studio server, so that tests can stand in a measured one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from backend.annotate.label_studio.values import (
    Account,
    PredictionsSeen,
    ProjectSeen,
    TaskChanged,
    TaskPrediction,
    TaskSeen,
)


class LabelStudioServer(Protocol):
    """Nothing that creates is idempotent unless it says so: after a failure, look before doing it again."""

    def projects(self) -> list[ProjectSeen]: ...

    def create_project(self, *, title: str, marker: str, label_config: str) -> int: ...

    def update_project(self, project_id: int, *, title: str, label_config: str) -> None: ...

    def delete_project(self, project_id: int) -> None: ...

    def ensure_webhook(self, project_id: int, *, url: str, secret: str) -> None:
        """Afterwards the project has exactly one webhook of ours; idempotent."""

    def ensure_account(self, *, key: str, name: str) -> Account:
        """Makes the account or renames it; idempotent."""

    def set_seat(
        self, project_id: int, *, account_id: int, is_open: bool, return_url: str, heading: str
    ) -> None:
        """Who labels this project, and whether they may now; idempotent."""

    def remove_seat(self, project_id: int) -> None: ...

    def import_tasks(self, project_id: int, tasks: Sequence[Mapping[str, object]]) -> None:
        """Adds a task for each, whether or not it is there already."""

    def task_index(self, project_id: int, *, item: str | None = None) -> list[TaskSeen]:
        """Every task, or every task of this item, by ascending id."""

    def delete_unannotated_tasks(self, project_id: int, ids: Sequence[int]) -> frozenset[int]:
        """The ids that were really deleted; a task with an annotation of any kind, or a draft, stays."""

    def set_predictions(
        self,
        project_id: int,
        *,
        version: str,
        predictions: Sequence[TaskPrediction],
        without: Sequence[int],
    ) -> list[PredictionsSeen]:
        """Afterwards each task has exactly one prediction, of this version, or none; begun tasks stay as they are.

        The project shows this version, or hides predictions if it is empty. Idempotent; tasks that are not there
        are left out of the answer.
        """

    def latest_change(self, project_id: int) -> datetime | None:
        """The newest `updated_at` of any task; None if there is none."""

    def changed_tasks(self, project_id: int, *, after: datetime | None) -> Iterator[TaskChanged]:
        """Every task with `updated_at` later than `after`, by ascending id; all tasks if that is None."""

    def annotation_exists(self, annotation_id: int) -> bool: ...
