"""Brings Label Studio in line with a batch. Whatever died in the middle, doing it again leaves each item there once."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from datetime import datetime

from django.conf import settings
from django.urls import reverse

from annotation.answers import ItemText
from annotation.label_config import label_config
from annotation.task_data import task_data
from backend.batches.models import Assignment, Batch
from backend.codebooks.selectors import codebook_of
from backend.label_studio.keys import hint_secret
from backend.label_studio.server import LabelStudioServer
from backend.label_studio.values import TaskSeen
from backend.mirror.errors import ItemsDoNotSettle
from backend.mirror.models import Project, ProjectState
from backend.mirror.seats import keep_seat

CHUNK = 5000
ROUNDS = 4
Report = Callable[[int, int], None]


def bring_in_line(batch: Batch, server: LabelStudioServer, *, now: datetime, report: Report) -> None:
    """`report(done, total)` follows the items of all shares; it may raise to stop the work."""
    shares = list(batch.assignments.select_related("annotator", "batch__study", "batch__edition"))
    sizes = [share.assigned_items.filter(taken_back_at=None).count() for share in shares]
    total, done = sum(sizes), 0
    for share, size in zip(shares, sizes, strict=True):

        def follow(there: int, _: int, before: int = done) -> None:
            report(before + there, total)

        bring_share_in_line(share, server, now=now, report=follow)
        done += size
    report(total, total)


def bring_share_in_line(
    assignment: Assignment, server: LabelStudioServer, *, now: datetime, report: Report
) -> None:
    report(0, assignment.assigned_items.filter(taken_back_at=None).count())
    _push_project(wanted_project(assignment), server, now, report)


def wanted_project(assignment: Assignment) -> Project:
    """The row comes first: its marker is how a project is found again whose making was cut short."""
    project, _ = Project.objects.get_or_create(
        assignment=assignment, defaults={"marker": f"attune:{uuid.uuid4().hex}"}
    )
    project.assignment = assignment
    return project


def _push_project(project: Project, server: LabelStudioServer, now: datetime, report: Report) -> None:
    assignment = project.assignment
    title = f"{assignment.batch.study.name} · {assignment.batch.name}"
    config = label_config(codebook_of(assignment.batch.edition))
    number = _found(project, server)
    if number is None:
        number = server.create_project(title=title, marker=project.marker, label_config=config)
    else:
        server.update_project(number, title=title, label_config=config)
    if project.label_studio_id != number:
        _forget_reading(project, number)
    address = settings.PUBLIC_URL + reverse("mirror:hint", args=[project.marker])
    server.ensure_webhook(number, url=address, secret=hint_secret(settings.LABEL_STUDIO_TOKEN))
    index = _settle_items(project, number, server, report)
    _begin_reading(project, index, now)
    keep_seat(project, server)
    _note_ready(project, index, now)


def _found(project: Project, server: LabelStudioServer) -> int | None:
    """By its marker. Of several, made by calls whose answer was lost, the one with work in it stays."""
    twins = [found for found in server.projects() if found.marker == project.marker]
    twins.sort(key=lambda found: (-(found.annotations + found.skipped), -found.tasks, found.id))
    for twin in twins[1:]:
        if twin.annotations + twin.skipped == 0:
            server.delete_project(twin.id)
    return twins[0].id if twins else None


def _forget_reading(project: Project, number: int) -> None:
    """A project of another number is another project: it is read from its beginning."""
    project.label_studio_id = number
    project.read_up_to = project.newest_change = project.newest_seen_at = None
    project.save(update_fields=["label_studio_id", "read_up_to", "newest_change", "newest_seen_at"])


def _settle_items(project: Project, number: int, server: LabelStudioServer, report: Report) -> list[TaskSeen]:
    wanted = _wanted_items(project, number)
    for _ in range(ROUNDS):
        index = server.task_index(number)
        surplus = surplus_tasks(index, wanted={item.item_id for item in wanted})
        there = {task.item for task in index}
        missing = [item for item in wanted if item.item_id not in there]
        if surplus:
            server.delete_unannotated_tasks(number, surplus)
        if not missing and not surplus:
            return index
        for start in range(0, len(missing), CHUNK):
            chunk = missing[start : start + CHUNK]
            server.import_tasks(number, [task_data(item) for item in chunk])
            report(len(wanted) - len(missing) + start + len(chunk), len(wanted))
    raise ItemsDoNotSettle(
        f"The items of {project.assignment} keep changing in Label Studio while they are brought in line. "
        "Wait until nobody else works on it, then repair it."
    )


def surplus_tasks(index: Sequence[TaskSeen], *, wanted: set[str]) -> list[int]:
    """Tasks that may go: of items that are not in the share, and all but one of each item. Work is never among them."""
    kept: dict[str, TaskSeen] = {}
    surplus = []
    for task in sorted(index, key=lambda task: (-(task.annotations + task.skipped), -task.drafts, task.id)):
        if task.item in kept or task.item not in wanted:
            surplus.append(task)
        else:
            kept[task.item] = task
    return [task.id for task in surplus if task.annotations + task.skipped + task.drafts == 0]


def _wanted_items(project: Project, number: int) -> list[ItemText]:
    """In a project that had to be made again, answers that are safe here are not asked for twice."""
    places = project.assignment.assigned_items.filter(taken_back_at=None)
    answered = places.filter(submission__isnull=False).exclude(submission__version__project_id=number)
    texts = places.exclude(pk__in=answered.values("pk")).order_by("position")
    columns = ("item__item_id", "item__title", "item__post_text", "item__reply_text")
    return [ItemText(*row) for row in texts.values_list(*columns)]


def _begin_reading(project: Project, index: Sequence[TaskSeen], now: datetime) -> None:
    """Nobody was let in before this: up to here there is nothing to read, however many items there are."""
    if project.read_up_to is None and index:
        newest = max(task.updated_at for task in index)
        Project.objects.filter(pk=project.pk, read_up_to=None).update(
            read_up_to=newest, newest_change=newest, newest_seen_at=now
        )


def _note_ready(project: Project, index: Sequence[TaskSeen], now: datetime) -> None:
    Project.objects.filter(pk=project.pk).update(
        state=ProjectState.READY, pushed_at=now, poll_error="", **counts_of(index, now)
    )


def counts_of(index: Sequence[TaskSeen], now: datetime) -> dict[str, int | datetime]:
    return {
        "tasks_there": len(index),
        "annotations_there": sum(task.annotations for task in index),
        "skipped_there": sum(task.skipped for task in index),
        "drafts_there": sum(task.drafts for task in index),
        "counted_at": now,
    }
