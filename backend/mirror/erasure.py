"""Removes from Label Studio what is deleted here: a study's texts, and batches that were opened by mistake."""

from __future__ import annotations

from collections.abc import Iterable, Set
from datetime import datetime

from backend.accounts.models import User
from backend.batches.errors import WorkCameIn
from backend.batches.models import Batch
from backend.batches.services import forget_batch
from backend.judgments.models import AnnotationVersion
from backend.label_studio.errors import ProjectGone
from backend.label_studio.server import LabelStudioServer
from backend.label_studio.values import ProjectSeen
from backend.mirror.models import Project
from backend.mirror.seats import keep_seat
from backend.mirror.selectors import projects_with_work
from backend.studies.models import Study


def erase_projects(study: Study, server: LabelStudioServer) -> int:
    """By marker, so that a project whose making was cut short goes too. Returns how many went."""
    now = Project.objects.filter(assignment__batch__study=study).values_list("marker", flat=True)
    # A project that was thought lost and made again may have come back with a restored Label Studio.
    seen = AnnotationVersion.objects.filter(assignment__batch__study=study).order_by()
    before = seen.values_list("project_marker", flat=True).distinct()
    markers = {*now, *before} - {""}
    return _delete(_there(markers, server), server)


def discard_batch(batch: Batch, server: LabelStudioServer, *, actor: User | None, now: datetime) -> None:
    """Nobody can get in before it is looked whether anybody did anything; what holds work is not deleted."""
    projects = list(projects_with_work().filter(assignment__batch=batch))
    there = _there({project.marker for project in projects}, server)
    numbers = {seen.id for seen in there}
    for project in projects:
        if project.label_studio_id in numbers:
            keep_seat(project, server)
    if any(_is_begun(seen, server) for seen in there):
        raise WorkCameIn(batch.name)
    _delete(there, server)
    forget_batch(batch=batch, actor=actor, now=now)


def _there(markers: Set[str], server: LabelStudioServer) -> list[ProjectSeen]:
    return [seen for seen in server.projects() if seen.marker in markers] if markers else []


def _is_begun(seen: ProjectSeen, server: LabelStudioServer) -> bool:
    return any(task.annotations + task.skipped + task.drafts for task in server.task_index(seen.id))


def _delete(found: Iterable[ProjectSeen], server: LabelStudioServer) -> int:
    erased = 0
    for seen in found:
        try:
            server.delete_project(seen.id)
        except ProjectGone:
            continue
        erased += 1
    return erased
