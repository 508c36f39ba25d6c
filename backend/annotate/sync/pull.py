"""Reads what annotators did since the last time. Webhooks only say when to look; this is what makes it true."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import islice

from django.db import transaction

from backend.annotate.judgments.derivation import NO_CHANGES, Changes, derive_items
from backend.annotate.judgments.models import AnnotationVersion, Change
from backend.annotate.judgments.version_store import NO_BODY, Arrival, keep_arrivals, live_annotations
from backend.annotate.label_studio.server import LabelStudioServer
from backend.annotate.label_studio.values import AnnotationSeen, ProjectSeen, TaskChanged
from backend.annotate.sync.completion import tell_that_answers_arrived
from backend.annotate.sync.cursor import ReadingPoint, advance
from backend.annotate.sync.errors import NotThereYet
from backend.annotate.sync.models import Account, Project

CHUNK = 500


@dataclass(frozen=True, slots=True)
class Pulled:
    """What one reading brought: versions that were new, and what changed in the judgments by them."""

    versions: int
    changes: Changes

    def __add__(self, other: Pulled) -> Pulled:
        return Pulled(self.versions + other.versions, self.changes + other.changes)


NOTHING = Pulled(0, NO_CHANGES)


@dataclass
class Seen:
    """Which tasks a reading has met, and the time of the latest change among them."""

    ids: set[int] = field(default_factory=set)
    newest: datetime | None = None

    def noting(self, tasks: Iterable[TaskChanged]) -> Iterator[TaskChanged]:
        for task in tasks:
            self.ids.add(task.id)
            self.newest = max(self.newest or task.updated_at, task.updated_at)
            yield task


def pull_changes(project: Project, server: LabelStudioServer, *, now: datetime) -> Pulled:
    """Everything that changed since the reading point; moves it on once all of it is stored.

    One request where little or nothing changed. What changes on a page that was read already, while the next is
    being read, lies within the time by which the reading point stays behind.
    """
    if project.read_up_to is None:
        return pull_everything(project, server, now=now)
    number, seen = _number(project), Seen()
    tasks = seen.noting(server.changed_tasks(number, after=project.read_up_to))
    pulled = _pull(project, number, server, tasks, now)
    _move_on(project, seen.newest, now)
    return pulled


def pull_newest(project: Project, server: LabelStudioServer, *, now: datetime) -> Pulled:
    """Only what is newer than anything seen: quick, and no move of the reading point, so the next poll looks again."""
    if project.newest_change is None:
        return pull_changes(project, server, now=now)
    number, seen = _number(project), Seen()
    tasks = seen.noting(server.changed_tasks(number, after=project.newest_change))
    pulled = _pull(project, number, server, tasks, now)
    if seen.newest is not None:
        older = Project.objects.filter(pk=project.pk, marker=project.marker, newest_change__lt=seen.newest)
        older.update(newest_change=seen.newest, newest_seen_at=now)
    return pulled


def pull_everything(project: Project, server: LabelStudioServer, *, now: datetime) -> Pulled:
    """Every item of the project, and every annotation that is not there any more."""
    number = _number(project)
    # Asked for first: a large project takes longer to read than the reading point stays behind.
    newest = server.latest_change(number)
    seen = Seen()
    tasks = seen.noting(server.changed_tasks(number, after=None))
    pulled = _pull(project, number, server, tasks, now, is_whole=True)
    vanished = [
        version
        for version in live_annotations(project.assignment, project.marker)
        if version.task_id not in seen.ids
    ]
    pulled += _store(project, _deletions(server, vanished, now), now)
    _move_on(project, newest, now)
    Project.objects.filter(pk=project.pk, marker=project.marker).update(read_whole_at=now)
    return pulled


def pull_stray(project: Project, stray: ProjectSeen, server: LabelStudioServer, *, now: datetime) -> Pulled:
    """What somebody did in another project of the same share, made by a push that was cut off or overtaken."""
    tasks = server.changed_tasks(stray.id, after=None)
    return _pull(project, stray.id, server, tasks, now, marker=stray.marker)


def _pull(
    project: Project,
    number: int,
    server: LabelStudioServer,
    tasks: Iterable[TaskChanged],
    now: datetime,
    *,
    marker: str | None = None,
    is_whole: bool = False,
) -> Pulled:
    """`marker` is that of the project which is read, if it is not the share's own."""
    marker = marker or project.marker
    people = dict(Account.objects.values_list("label_studio_id", "user_id"))
    pulled = NOTHING
    remaining = iter(tasks)
    while chunk := list(islice(remaining, CHUNK)):
        arrivals = [
            _arrival(marker, number, people, task, annotation)
            for task in chunk
            for annotation in task.annotations
        ]
        arrivals += _find_deleted(project, marker, server, chunk, now)
        pulled += _store(project, arrivals, now, is_whole=is_whole)
    return pulled


@transaction.atomic
def _store(project: Project, arrivals: Sequence[Arrival], now: datetime, *, is_whole: bool = False) -> Pulled:
    """What came and what follows from it are stored together or not at all."""
    versions = keep_arrivals(assignment=project.assignment, arrivals=arrivals, now=now, is_whole=is_whole)
    keys = {version.item_key for version in versions}
    changes = derive_items(assignment=project.assignment, item_keys=keys, now=now) if keys else NO_CHANGES
    if changes.answers:
        transaction.on_commit(partial(tell_that_answers_arrived, project.assignment.batch_id, now))
    return Pulled(len(versions), changes)


def _find_deleted(
    project: Project, marker: str, server: LabelStudioServer, chunk: Sequence[TaskChanged], now: datetime
) -> list[Arrival]:
    """A deleted annotation is just not there any more. Each is asked for by its number before it counts as gone."""
    there = {annotation.id for task in chunk for annotation in task.annotations}
    known = live_annotations(project.assignment, marker, [task.id for task in chunk])
    return _deletions(server, [version for version in known if version.annotation_id not in there], now)


def _deletions(
    server: LabelStudioServer, suspects: Iterable[AnnotationVersion], now: datetime
) -> list[Arrival]:
    return [
        _deletion(version, now) for version in suspects if not server.annotation_exists(version.annotation_id)
    ]


def _deletion(version: AnnotationVersion, now: datetime) -> Arrival:
    return Arrival(
        project_marker=version.project_marker,
        project_id=version.project_id,
        task_id=version.task_id,
        annotation_id=version.annotation_id,
        account_id=version.account_id,
        made_by_id=version.made_by_id,
        item_key=version.item_key,
        change=Change.DELETED,
        body=NO_BODY,
        lead_seconds=None,
        from_prediction=version.from_prediction,
        created_there_at=version.created_there_at,
        changed_there_at=now,
    )


def _arrival(
    marker: str, number: int, people: dict[int, int], task: TaskChanged, annotation: AnnotationSeen
) -> Arrival:
    return Arrival(
        project_marker=marker,
        project_id=number,
        task_id=task.id,
        annotation_id=annotation.id,
        account_id=annotation.account_id,
        made_by_id=people.get(annotation.account_id),
        item_key=task.item,
        change=Change.SKIPPED if annotation.skipped else Change.SUBMITTED,
        body=annotation.body,
        lead_seconds=annotation.lead_seconds,
        from_prediction=annotation.from_prediction,
        created_there_at=annotation.created_at,
        changed_there_at=annotation.updated_at,
    )


def _move_on(project: Project, newest: datetime | None, now: datetime) -> None:
    """Only ever forward, whoever else reads the same project meanwhile."""
    with transaction.atomic():
        row = Project.objects.select_for_update().get(pk=project.pk)
        if (row.marker, row.label_studio_id) != (project.marker, project.label_studio_id):
            return
        point = advance(ReadingPoint(row.read_up_to, row.newest_change, row.newest_seen_at), newest, now)
        row.read_up_to, row.newest_change, row.newest_seen_at = (
            point.read_up_to,
            point.newest,
            point.first_seen,
        )
        row.save(update_fields=["read_up_to", "newest_change", "newest_seen_at"])


def _number(project: Project) -> int:
    if project.label_studio_id is None:
        raise NotThereYet(f"{project} is not in Label Studio yet.")
    return project.label_studio_id
