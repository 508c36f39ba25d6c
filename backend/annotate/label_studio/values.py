"""What Attune sees of Label Studio: its projects, accounts, tasks and annotations, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ProjectSeen:
    """The marker is the project's description: Attune finds its own projects by it."""

    id: int
    title: str
    marker: str
    tasks: int
    annotations: int
    skipped: int


@dataclass(frozen=True, slots=True)
class Account:
    id: int
    email: str


@dataclass(frozen=True, slots=True)
class TaskSeen:
    """A task without its text: which item it shows, and what has been done to it."""

    id: int
    item: str
    annotations: int
    skipped: int
    drafts: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class AnnotationSeen:
    """One annotation as it stands now; account 0 if the account that made it is gone.

    The body is the canonical JSON of the whole object, without the two fields that Label Studio makes up anew
    whenever it is asked: the age in words and the name of the account.
    """

    id: int
    task_id: int
    account_id: int
    skipped: bool
    from_prediction: bool
    lead_seconds: float | None
    created_at: datetime
    updated_at: datetime
    body: str


@dataclass(frozen=True, slots=True)
class TaskChanged:
    """A task with all of its annotations, oldest first."""

    id: int
    item: str
    updated_at: datetime
    annotations: tuple[AnnotationSeen, ...]


@dataclass(frozen=True, slots=True)
class TaskPrediction:
    """What a task is to show: the rows that are filled in, and how sure the model is of them."""

    task_id: int
    rows: tuple[dict[str, object], ...]
    score: float | None


@dataclass(frozen=True, slots=True)
class PredictionsSeen:
    """Which models' predictions a task had before it was set, and which it has now; begun ones stay as they were."""

    task_id: int
    begun: bool
    before: tuple[str, ...]
    now: tuple[str, ...]
