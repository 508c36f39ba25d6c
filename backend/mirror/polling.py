"""The regular look at every project: changes, seats and counts. What fails for one project is noted and tried again."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from backend.batches.models import BatchState
from backend.judgments.arrivals import live_annotations
from backend.judgments.models import Change
from backend.label_studio.errors import LabelStudioError, LabelStudioUnreachable, ProjectGone
from backend.label_studio.server import LabelStudioServer
from backend.label_studio.values import ProjectSeen
from backend.mirror.models import Project, ProjectState
from backend.mirror.pull import NOTHING, Pulled, pull_changes, pull_everything
from backend.mirror.push import counts_of
from backend.mirror.seats import keep_seat, may_work

logger = logging.getLogger(__name__)
CLOSED_EVERY = timedelta(minutes=10)
COUNTED_EVERY = timedelta(minutes=5)
PATIENCE = 3


def due_projects(*, now: datetime) -> QuerySet[Project]:
    """Those of closed batches are looked at less often: only a late change can come from there."""
    rarely = Q(polled_at__gt=now - CLOSED_EVERY, assignment__batch__state=BatchState.CLOSED)
    return (
        Project.objects.filter(state=ProjectState.READY)
        .exclude(rarely)
        .select_related("assignment__annotator", "assignment__batch__study", "assignment__batch__edition")
        .order_by("polled_at", "pk")
    )


def poll_all(server: LabelStudioServer, *, clock: Callable[[], datetime]) -> Pulled:
    """One call lists what Label Studio has; then each project is read, whatever became of the one before.

    A server that gives no answer several times running is down: the round ends, and the next one starts anew.
    """
    projects = list(due_projects(now=clock()))
    if not projects:
        return NOTHING
    try:
        seen = {found.id: found for found in server.projects()}
    except LabelStudioError as problem:
        _note_errors(projects, problem)
        return NOTHING
    pulled, unanswered = NOTHING, 0
    for project in projects:
        try:
            pulled += poll_project(project, server, seen.get(project.label_studio_id or 0), clock=clock)
            unanswered = 0
        except LabelStudioError as problem:
            _note_errors([project], problem)
            unanswered += isinstance(problem, LabelStudioUnreachable)
        if unanswered >= PATIENCE:
            break
    return pulled


def poll_project(
    project: Project,
    server: LabelStudioServer,
    seen: ProjectSeen | None,
    *,
    clock: Callable[[], datetime],
) -> Pulled:
    now = clock()
    if seen is None:
        Project.objects.filter(pk=project.pk).update(state=ProjectState.GONE, polled_at=now, seat_open=False)
        return NOTHING
    if project.seat_open != may_work(project):
        keep_seat(project, server)
    pulled = pull_changes(project, server, now=now)
    if _should_count(project, seen, now):
        if not _agrees(project, seen):
            pulled += pull_everything(project, server, now=clock())
        counts = counts_of(server.task_index(seen.id), now)
        Project.objects.filter(pk=project.pk).update(**counts)
    Project.objects.filter(pk=project.pk).update(polled_at=now, poll_error="")
    return pulled


def read_hinted(project: Project, server: LabelStudioServer, *, clock: Callable[[], datetime]) -> Pulled:
    """The short look after a hint: changes only."""
    now = clock()
    try:
        pulled = pull_changes(project, server, now=now)
    except ProjectGone:
        Project.objects.filter(pk=project.pk).update(state=ProjectState.GONE, seat_open=False)
        return NOTHING
    Project.objects.filter(pk=project.pk).update(polled_at=now, poll_error="")
    return pulled


def _should_count(project: Project, seen: ProjectSeen, now: datetime) -> bool:
    there = (project.tasks_there, project.annotations_there, project.skipped_there)
    stale = project.counted_at is None or now - project.counted_at >= COUNTED_EVERY
    return stale or there != (seen.tasks, seen.annotations, seen.skipped)


def _agrees(project: Project, seen: ProjectSeen) -> bool:
    """Whether the mirror holds as many annotations as there are: the net under the reading point."""
    changes = [version.change for version in live_annotations(project.assignment, seen.id)]
    return (changes.count(Change.SUBMITTED), changes.count(Change.SKIPPED)) == (
        seen.annotations,
        seen.skipped,
    )


def _note_errors(projects: list[Project], problem: LabelStudioError) -> None:
    logger.warning("Label Studio could not be read: %s", problem)
    Project.objects.filter(pk__in=[project.pk for project in projects]).update(poll_error=str(problem))
