"""The regular look at every project: changes, seats and counts. What fails for one project is noted and tried again."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet

from backend.annotate.batches.models import BatchState
from backend.annotate.judgments.models import Change
from backend.annotate.judgments.version_store import live_annotations
from backend.annotate.label_studio.errors import LabelStudioError, LabelStudioUnreachable, ProjectGone
from backend.annotate.label_studio.server import LabelStudioServer
from backend.annotate.label_studio.values import ProjectSeen, TaskSeen
from backend.annotate.sync.models import Project, ProjectState
from backend.annotate.sync.projects import by_share, family_of, put_away, strays_of
from backend.annotate.sync.pull import NOTHING, Pulled, pull_changes, pull_everything, pull_newest, pull_stray
from backend.annotate.sync.push import counts_of
from backend.annotate.sync.seats import keep_seat, may_work
from backend.annotate.sync.selectors import projects_with_work
from backend.annotate.sync.webhook_setup import ask_for_webhooks
from backend.core.jobs.failures import describe_failure, describe_trace

logger = logging.getLogger(__name__)
CLOSED_EVERY = timedelta(minutes=10)
COUNTED_EVERY = timedelta(minutes=5)
READ_WHOLE_EVERY = timedelta(hours=1)
CLOSED_READ_WHOLE_EVERY = timedelta(days=1)
PATIENCE = 3


def due_projects(*, now: datetime) -> QuerySet[Project]:
    """What waited longest comes first. Closed batches are looked at less often: only a late change can come there."""
    rarely = Q(polled_at__gt=now - CLOSED_EVERY, assignment__batch__state=BatchState.CLOSED)
    there_or_back = [ProjectState.READY, ProjectState.GONE]
    waiting = projects_with_work().filter(state__in=there_or_back).exclude(rarely)
    return waiting.order_by(F("tried_at").asc(nulls_first=True), "pk")


def poll_all(server: LabelStudioServer, *, clock: Callable[[], datetime]) -> Pulled:
    """One call lists what Label Studio has; then each project is read, whatever became of the one before.

    A server that gives no answer several times running is down: the round ends, and the next one starts with others.
    """
    projects = list(due_projects(now=clock()))
    if not projects:
        return NOTHING
    try:
        listed = by_share(server.projects())
    except LabelStudioError as problem:
        _note_failure(projects, problem, clock())
        return NOTHING
    pulled, unanswered = NOTHING, 0
    for project in projects:
        try:
            pulled += poll_project(project, server, listed[family_of(project.marker)], clock=clock)
            unanswered = 0
        except Exception as problem:
            _note_failure([project], problem, clock())
            unanswered += isinstance(problem, LabelStudioUnreachable)
        if unanswered >= PATIENCE:
            break
    return pulled


def poll_project(
    project: Project,
    server: LabelStudioServer,
    listed: Sequence[ProjectSeen],
    *,
    clock: Callable[[], datetime],
) -> Pulled:
    """`listed` is what Label Studio has of its share. What was gone may be back, in one that was restored."""
    now = clock()
    itself = (project.label_studio_id, project.marker)
    seen = next((found for found in listed if (found.id, found.marker) == itself), None)
    if seen is None:
        _as_read(project).update(state=ProjectState.GONE, tried_at=now, polled_at=now, seat_open=False)
        return _read_strays_of_a_lost_one(project, strays_of(project, listed), server, now)
    if project.state == ProjectState.GONE:
        _as_read(project).update(state=ProjectState.READY)
    if project.seat_open != may_work(project.assignment):
        keep_seat(project, server)
    pulled = pull_changes(project, server, now=now)
    there = {"tasks_there": seen.tasks, "annotations_there": seen.annotations, "skipped_there": seen.skipped}
    _as_read(project).update(tried_at=now, polled_at=now, poll_error="", **there)
    if project.counted_at is None or now - project.counted_at >= COUNTED_EVERY:
        pulled += count_project(project, server, clock=clock)
        for stray in strays_of(project, listed):
            pulled += put_away(project, stray, server, now=now)
    return pulled


def _read_strays_of_a_lost_one(
    project: Project, strays: Sequence[ProjectSeen], server: LabelStudioServer, now: datetime
) -> Pulled:
    """Until a push makes one of them the share's project, its annotator may be at work in the first, and only there."""
    pulled = NOTHING
    for stray in strays[:1]:
        pulled += pull_stray(project, stray, server, now=now)
    for stray in strays[1:]:
        pulled += put_away(project, stray, server, now=now)
    return pulled


def count_project(project: Project, server: LabelStudioServer, *, clock: Callable[[], datetime]) -> Pulled:
    """One by one: the net under the reading point. An edit changes no count, so all is read again now and then."""
    keep_seat(project, server)
    ask_for_webhooks(project, project.label_studio_id or 0, server)
    index = server.task_index(project.label_studio_id or 0)
    now = clock()
    pulled = NOTHING
    if _whole_reading_is_due(project, now) or not _agrees(project, index):
        pulled = pull_everything(project, server, now=now)
    _as_read(project).update(**counts_of(index, now))
    return pulled


def read_after_webhook(
    project: Project, server: LabelStudioServer, *, clock: Callable[[], datetime]
) -> Pulled:
    """The short look after a webhook."""
    now = clock()
    try:
        pulled = pull_newest(project, server, now=now)
    except ProjectGone:
        _as_read(project).update(state=ProjectState.GONE, seat_open=False)
        return NOTHING
    _as_read(project).update(tried_at=now, polled_at=now, poll_error="")
    return pulled


def _as_read(project: Project) -> QuerySet[Project]:
    """The row, unless the project was made again since it was read."""
    return Project.objects.filter(
        pk=project.pk, marker=project.marker, label_studio_id=project.label_studio_id
    )


def _whole_reading_is_due(project: Project, now: datetime) -> bool:
    is_closed = project.assignment.batch.state == BatchState.CLOSED
    every = CLOSED_READ_WHOLE_EVERY if is_closed else READ_WHOLE_EVERY
    return project.read_whole_at is None or now - project.read_whole_at >= every


def _agrees(project: Project, index: Iterable[TaskSeen]) -> bool:
    """Whether the sync holds what is there, up to the reading point: what lies after it is read anyway."""
    read_up_to = project.read_up_to
    there: Counter[tuple[int, Change]] = Counter()
    ahead = set()
    for task in index:
        if read_up_to is None or task.updated_at > read_up_to:
            ahead.add(task.id)
        else:
            there[task.id, Change.SUBMITTED] = task.annotations
            there[task.id, Change.SKIPPED] = task.skipped
    here = Counter(
        (version.task_id, Change(version.change))
        for version in live_annotations(project.assignment, project.marker)
        if version.project_id == project.label_studio_id and version.task_id not in ahead
    )
    return here == there


def _note_failure(projects: Sequence[Project], problem: Exception, now: datetime) -> None:
    """What is none of Label Studio's is a fault of ours: the log shows the way to it, and never a text."""
    if isinstance(problem, LabelStudioError):
        logger.warning("Label Studio could not be read: %s", problem)
    else:
        logger.error("A project could not be read:\n%s", describe_trace(problem))
    keys = [project.pk for project in projects]
    Project.objects.filter(pk__in=keys).update(poll_error=describe_failure(problem), tried_at=now)
