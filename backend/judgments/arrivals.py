"""Keeps what Label Studio says, as it says it; nothing here is ever changed or taken away again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from backend.accounts.models import User
from backend.batches.models import Assignment
from backend.judgments.models import AnnotationVersion, Change

NO_BODY = ""


@dataclass(frozen=True, slots=True)
class Arrival:
    """One state of one annotation, as it came in."""

    project_id: int
    task_id: int
    annotation_id: int
    account_id: int
    made_by: User | None
    item_key: str
    change: Change
    body: str
    lead_seconds: float | None
    from_prediction: bool
    created_there_at: datetime
    changed_there_at: datetime

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.body.encode()).hexdigest()


def keep_arrivals(
    *, assignment: Assignment, arrivals: Sequence[Arrival], now: datetime
) -> list[AnnotationVersion]:
    """Stores those not seen before and returns them; what is known already costs one look."""
    known = _known(assignment, {arrival.annotation_id for arrival in arrivals})
    new = [arrival for arrival in _once(arrivals) if _key(arrival) not in known]
    versions = [_version(assignment, arrival, now) for arrival in new]
    AnnotationVersion.objects.bulk_create(versions, ignore_conflicts=True, batch_size=500)
    return versions


def live_annotations(
    assignment: Assignment, project_id: int, task_ids: Iterable[int] | None = None
) -> list[AnnotationVersion]:
    """The latest version of every annotation that is not known to be deleted; of these tasks, or of all."""
    versions = AnnotationVersion.objects.filter(assignment=assignment, project_id=project_id)
    if task_ids is not None:
        versions = versions.filter(task_id__in=task_ids)
    latest: dict[int, AnnotationVersion] = {}
    deleted = set()
    for version in versions.defer("body").order_by("changed_there_at", "pk"):
        latest[version.annotation_id] = version
        if version.change == Change.DELETED:
            deleted.add(version.annotation_id)
    return [version for number, version in latest.items() if number not in deleted]


def _known(assignment: Assignment, annotation_ids: set[int]) -> set[tuple[int, int, str, str]]:
    rows = AnnotationVersion.objects.filter(assignment=assignment, annotation_id__in=annotation_ids)
    return set(rows.values_list("project_id", "annotation_id", "change", "sha256"))


def _key(arrival: Arrival) -> tuple[int, int, str, str]:
    return (arrival.project_id, arrival.annotation_id, arrival.change.value, arrival.sha256)


def _once(arrivals: Sequence[Arrival]) -> list[Arrival]:
    return list({_key(arrival): arrival for arrival in arrivals}.values())


def _version(assignment: Assignment, arrival: Arrival, now: datetime) -> AnnotationVersion:
    return AnnotationVersion(
        assignment=assignment,
        project_id=arrival.project_id,
        task_id=arrival.task_id,
        annotation_id=arrival.annotation_id,
        account_id=arrival.account_id,
        made_by=arrival.made_by,
        item_key=arrival.item_key,
        change=arrival.change,
        body=arrival.body,
        sha256=arrival.sha256,
        lead_seconds=arrival.lead_seconds,
        from_prediction=arrival.from_prediction,
        created_there_at=arrival.created_there_at,
        changed_there_at=arrival.changed_there_at,
        seen_at=now,
    )
