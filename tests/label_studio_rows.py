"""What the Label Studio in memory keeps, in the shapes that the real one sends."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

Result = list[dict[str, object]]
WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class Seat:
    account_id: int
    is_open: bool
    return_url: str
    heading: str


@dataclass(frozen=True)
class Webhook:
    url: str
    secret: str


@dataclass(frozen=True)
class WebhookCall:
    """One call of a webhook: that something happened, and nothing about what."""

    action: str
    project_id: int
    url: str
    secret: str


@dataclass
class FakeAnnotation:
    id: int
    account_id: int
    result: Result
    created_at: datetime
    updated_at: datetime
    skipped: bool = False
    lead_seconds: float | None = None
    prediction_id: int | None = None
    draft_created_at: datetime | None = None

    def listed(self, task: FakeTask) -> dict[str, object]:
        """Field for field what the listing of 1.23.2 holds."""
        return {
            "id": self.id,
            "result": self.result,
            "created_username": f"Somebody somebody@attune.local, {self.account_id}",
            "created_ago": f"{task.reads} minutes",
            "completed_by": self.account_id,
            "was_cancelled": self.skipped,
            "ground_truth": False,
            "created_at": instant(self.created_at),
            "updated_at": instant(self.updated_at),
            "draft_created_at": instant(self.draft_created_at) if self.draft_created_at else None,
            "lead_time": self.lead_seconds,
            "import_id": None,
            "last_action": None,
            "bulk_created": False,
            "task": task.id,
            "project": task.project_id,
            "updated_by": self.account_id,
            "parent_prediction": self.prediction_id,
            "parent_annotation": None,
            "last_created_by": None,
        }


@dataclass
class FakeDraft:
    id: int
    created_at: datetime
    annotation_id: int | None


@dataclass
class FakePrediction:
    id: int
    version: str
    rows: tuple[dict[str, object], ...]
    score: float | None


@dataclass
class FakeTask:
    id: int
    project_id: int
    data: dict[str, object]
    updated_at: datetime
    reads: int = 0
    annotations: dict[int, FakeAnnotation] = field(default_factory=dict)
    drafts: dict[int, FakeDraft] = field(default_factory=dict)
    predictions: dict[int, FakePrediction] = field(default_factory=dict)

    def listed(self) -> dict[str, object]:
        self.reads += 1
        return {
            "id": self.id,
            "data": self.data,
            "updated_at": instant(self.updated_at),
            "annotations": [annotation.listed(self) for annotation in self.annotations.values()],
        }

    def versions(self) -> tuple[str, ...]:
        return tuple(each.version for each in self.predictions.values() if each.version != WITHDRAWN)

    def count(self, *, skipped: bool) -> int:
        return sum(annotation.skipped == skipped for annotation in self.annotations.values())


@dataclass
class FakeProject:
    id: int
    title: str
    marker: str
    label_config: str
    webhooks: list[Webhook] = field(default_factory=list)
    model_version: str = ""
    shows_predictions: bool = False


def instant(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
