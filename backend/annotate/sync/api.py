"""Calls about how Label Studio and Attune stand to each other."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Schema, Status

from backend.annotate.judgments.models import Quarantined
from backend.annotate.sync import selectors
from backend.annotate.sync.models import ProjectState
from backend.annotate.sync.repair import enqueue_repair
from backend.annotate.sync.selectors import ProjectStatus
from backend.core.accounts.access import user_of
from backend.core.jobs.api import JobOut
from backend.core.jobs.models import Job
from backend.core.studies.access import RESEARCHER, study_of

router = Router(auth=RESEARCHER)


class ProjectOut(Schema):
    id: int
    batch: int
    annotator: str
    state: ProjectState
    label_studio_id: int | None
    items: int
    tasks_there: int
    submitted: int
    skipped: int
    drafts_there: int
    quarantined: int
    polled_at: datetime | None
    lag_seconds: float | None
    error: str
    needs_repair: bool


class QuarantinedOut(Schema):
    item_id: str
    annotator: str
    annotation_id: int
    seen_at: datetime
    is_fixable: bool
    problems: list[dict[str, Any]]


@router.get("", response=list[ProjectOut])
def list_projects(request: HttpRequest) -> list[ProjectOut]:
    """One Label Studio project per annotator and batch: what is where."""
    return [_project_out(status) for status in selectors.project_statuses(study_of(request))]


@router.get("quarantine", response=list[QuarantinedOut])
def list_quarantine(request: HttpRequest) -> list[QuarantinedOut]:
    """What came in and cannot be counted, with the reasons."""
    return [_quarantined_out(row) for row in selectors.quarantine(study_of(request), user_of(request))]


@router.post("{int:project_id}/repair", response={202: JobOut})
def repair(request: HttpRequest, project_id: int) -> Status[Job]:
    """Starts a job that pushes what is missing, reads everything again and derives all judgments anew."""
    project = selectors.project_of(study_of(request), project_id)
    return Status(202, enqueue_repair(project=project, actor=user_of(request), now=timezone.now()))


def _project_out(status: ProjectStatus) -> ProjectOut:
    project = status.project
    return ProjectOut(
        id=project.pk,
        batch=project.assignment.batch_id,
        annotator=project.assignment.annotator.username,
        state=ProjectState(project.state),
        label_studio_id=project.label_studio_id,
        items=status.items,
        tasks_there=project.tasks_there,
        submitted=status.submitted,
        skipped=status.skipped,
        drafts_there=project.drafts_there,
        quarantined=status.quarantined,
        polled_at=project.polled_at,
        lag_seconds=status.lag.total_seconds() if status.lag is not None else None,
        error=project.poll_error,
        needs_repair=status.needs_repair,
    )


def _quarantined_out(row: Quarantined) -> QuarantinedOut:
    return QuarantinedOut(
        item_id=row.version.item_key,
        annotator=row.version.assignment.annotator.username,
        annotation_id=row.version.annotation_id,
        seen_at=row.version.seen_at,
        is_fixable=row.is_fixable,
        problems=row.problems,
    )
