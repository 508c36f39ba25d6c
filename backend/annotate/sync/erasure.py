"""Removes from Label Studio what is deleted here: a study's texts, and batches that were opened by mistake."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from backend.annotate.batches.errors import WorkCameIn
from backend.annotate.batches.models import Batch
from backend.annotate.batches.services import forget_batch
from backend.annotate.judgments.models import AnnotationVersion
from backend.annotate.label_studio.errors import ProjectGone
from backend.annotate.label_studio.server import LabelStudioServer
from backend.annotate.label_studio.values import ProjectSeen
from backend.annotate.sync.models import Project
from backend.annotate.sync.projects import family_of
from backend.annotate.sync.seats import keep_seat
from backend.annotate.sync.selectors import projects_with_work
from backend.core.accounts.models import User
from backend.core.studies.models import Study


def erase_projects(study: Study, server: LabelStudioServer) -> int:
    """By marker, so that a project whose making was cut short or that was made again goes too.

    What answers came from goes even where no row knows it any more. Returns how many went.
    """
    rows = Project.objects.filter(assignment__batch__study=study).values_list("marker", flat=True)
    answers = AnnotationVersion.objects.filter(assignment__batch__study=study).order_by()
    markers = {*rows, *answers.values_list("project_marker", flat=True).distinct()}
    return _delete(_there(markers, server), server)


def discard_batch(batch: Batch, server: LabelStudioServer, *, actor: User | None, now: datetime) -> None:
    """Nobody can get in before it is looked whether anybody did anything; what holds work is not deleted."""
    projects = projects_with_work().filter(assignment__batch=batch)
    there = _there([project.marker for project in projects], server)
    by_number = {project.label_studio_id: project for project in projects}
    for seen in there:
        project = by_number.get(seen.id)
        if project is None:
            server.remove_seat(seen.id)
        else:
            keep_seat(project, server)
    if any(_is_begun(seen, server) for seen in there):
        raise WorkCameIn(batch.name)
    _delete(there, server)
    forget_batch(batch=batch, actor=actor, now=now)


def _there(markers: Iterable[str], server: LabelStudioServer) -> list[ProjectSeen]:
    families = {family_of(marker) for marker in markers}
    return [seen for seen in server.projects() if family_of(seen.marker) in families] if families else []


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
