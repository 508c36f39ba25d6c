"""Keeps what Label Studio says, as it says it; nothing here is ever changed or taken away again."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

from django.db import transaction

from backend.annotate.batches.models import Assignment
from backend.annotate.judgments.models import AnnotationVersion, Change

NO_BODY = ""


@dataclass(frozen=True, slots=True)
class Arrival:
    """One state of one annotation, as it came in."""

    project_marker: str
    project_id: int
    task_id: int
    annotation_id: int
    account_id: int
    made_by_id: int | None
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


class Place(Enum):
    """Where a state belongs among those that were seen before."""

    LAST = auto()
    EARLIER = auto()
    KNOWN = auto()


@transaction.atomic
def keep_arrivals(
    *, assignment: Assignment, arrivals: Sequence[Arrival], now: datetime, is_whole: bool = False
) -> list[AnnotationVersion]:
    """Stores and returns what was not seen before; what is known already costs one look.

    A whole reading is believed even against the times that Label Studio gives: its clock may have been set back.
    """
    # Two readers of a share take turns here, so that neither stores what the other just did.
    Assignment.objects.select_for_update().get(pk=assignment.pk)
    seen = _seen_versions(assignment, {arrival.annotation_id for arrival in arrivals})
    versions = []
    for arrival in arrivals:
        history = seen[arrival.project_marker, arrival.annotation_id]
        place = _place(arrival, history)
        if place is Place.KNOWN:
            continue
        version = _version(assignment, arrival, now)
        version.came_late = place is Place.EARLIER and not is_whole
        history.append(version)
        versions.append(version)
    AnnotationVersion.objects.bulk_create(versions, batch_size=500)
    return versions


def live_annotations(
    assignment: Assignment, project_marker: str, task_ids: Iterable[int] | None = None
) -> list[AnnotationVersion]:
    """The latest version of every annotation of a project that is not deleted; of these tasks, or of all."""
    versions = AnnotationVersion.objects.filter(assignment=assignment, project_marker=project_marker)
    if task_ids is not None:
        versions = versions.filter(task_id__in=task_ids)
    stood = versions.filter(came_late=False).defer("body").order_by("pk")
    latest = {version.annotation_id: version for version in stood}
    return [version for version in latest.values() if version.change != Change.DELETED]


def _seen_versions(
    assignment: Assignment, annotation_ids: set[int]
) -> defaultdict[tuple[str, int], list[AnnotationVersion]]:
    """All states of these annotations so far, in the order of seeing."""
    rows = AnnotationVersion.objects.filter(assignment=assignment, annotation_id__in=annotation_ids)
    found: defaultdict[tuple[str, int], list[AnnotationVersion]] = defaultdict(list)
    for version in rows.defer("body").order_by("pk"):
        found[version.project_marker, version.annotation_id].append(version)
    return found


def _place(arrival: Arrival, history: Sequence[AnnotationVersion]) -> Place:
    """An older state comes from a reader that was slow. One that is seen again after it was deleted is new."""
    last = next((version for version in reversed(history) if not version.came_late), None)
    if arrival.change == Change.DELETED:
        return Place.KNOWN if last is None or last.change == Change.DELETED else Place.LAST
    if last is None or last.change == Change.DELETED:
        return Place.LAST
    state = (arrival.change.value, arrival.sha256)
    if state == (last.change, last.sha256):
        return Place.KNOWN
    if arrival.changed_there_at >= last.changed_there_at:
        return Place.LAST
    is_known = any(state == (version.change, version.sha256) for version in history)
    return Place.KNOWN if is_known else Place.EARLIER


def _version(assignment: Assignment, arrival: Arrival, now: datetime) -> AnnotationVersion:
    return AnnotationVersion(
        assignment=assignment,
        project_marker=arrival.project_marker,
        project_id=arrival.project_id,
        task_id=arrival.task_id,
        annotation_id=arrival.annotation_id,
        account_id=arrival.account_id,
        made_by_id=arrival.made_by_id,
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
