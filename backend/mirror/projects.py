"""Sees to it that a share has one project in Label Studio, whatever died while it was made."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from datetime import datetime

from backend.batches.models import Assignment
from backend.label_studio.server import LabelStudioServer
from backend.label_studio.values import ProjectSeen
from backend.mirror.models import Project, ProjectState
from backend.mirror.pull import pull_double


def wanted_project(assignment: Assignment) -> Project:
    """The row comes first: its marker is how a project is found again whose making was cut short."""
    project, _ = Project.objects.get_or_create(assignment=assignment, defaults={"marker": _new_marker()})
    project.assignment = assignment
    return project


def settle_project(
    project: Project,
    server: LabelStudioServer,
    listed: Iterable[ProjectSeen],
    *,
    title: str,
    label_config: str,
    now: datetime,
) -> int:
    """The number of the one project with this marker, made now if there is none."""
    found = _with_marker(project, listed)
    if not found:
        if project.label_studio_id is not None:
            _begin_anew(project)
        server.create_project(title=title, marker=project.marker, label_config=label_config)
        # Looked up once more: a worker that lost this job and does not know it yet may have made one too.
        found = _with_marker(project, server.projects())
    number, *doubles = (seen.id for seen in found)
    for double in doubles:
        _put_away(project, double, server, now)
    if project.label_studio_id != number:
        project.label_studio_id = number
        _forget_reading(project)
    return number


def _with_marker(project: Project, listed: Iterable[ProjectSeen]) -> Sequence[ProjectSeen]:
    """The one with work in it comes first, then the one that was known before."""
    return sorted(
        (seen for seen in listed if seen.marker == project.marker),
        key=lambda seen: (
            -(seen.annotations + seen.skipped),
            seen.id != project.label_studio_id,
            -seen.tasks,
            seen.id,
        ),
    )


def _begin_anew(project: Project) -> None:
    """It is gone from Label Studio: what is made in its place is another project, and changes no answer of this one."""
    project.marker, project.label_studio_id = _new_marker(), None
    project.state = ProjectState.WANTED
    _forget_reading(project)


def _forget_reading(project: Project) -> None:
    reading = ("read_up_to", "newest_change", "newest_seen_at", "read_whole_at")
    for field in reading:
        setattr(project, field, None)
    project.save(update_fields=["marker", "label_studio_id", "state", *reading])


def _put_away(project: Project, double: int, server: LabelStudioServer, now: datetime) -> None:
    """Nobody gets in any more; what somebody did there is read, and only an untouched one is deleted."""
    server.remove_seat(double)
    if any(task.annotations + task.skipped + task.drafts for task in server.task_index(double)):
        pull_double(project, double, server, now=now)
    else:
        server.delete_project(double)


def _new_marker() -> str:
    return f"attune:{uuid.uuid4().hex}"
