"""Brings Label Studio in line with a batch. Whatever died in the middle, doing it again leaves each item there once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from annotation.answers import ItemText
from annotation.label_studio.config import label_config
from annotation.label_studio.task_data import task_data
from backend.annotate.batches.models import Assignment, Batch, BatchState
from backend.annotate.label_studio.imports import MOST_TASKS
from backend.annotate.label_studio.server import LabelStudioServer
from backend.annotate.label_studio.values import ProjectSeen, TaskSeen
from backend.annotate.sync.errors import ItemsDoNotSettle
from backend.annotate.sync.models import Project, ProjectState
from backend.annotate.sync.projects import settle_project, wanted_project
from backend.annotate.sync.seats import keep_seat
from backend.annotate.sync.webhook_setup import ask_for_webhooks
from backend.design.codebooks.selectors import codebook_of

ROUNDS = 4
Report = Callable[[int, int], None]


def bring_in_line(batch: Batch, server: LabelStudioServer, *, now: datetime, report: Report) -> None:
    """`report(done, total)` follows the items of all shares; it may raise to stop the work."""
    shares = shares_to_bring(batch)
    sizes = [share.assigned_items.filter(taken_back_at=None).count() for share in shares]
    total, done = sum(sizes), 0
    listed = server.projects()
    for share, size in zip(shares, sizes, strict=True):

        def follow(there: int, _: int, before: int = done) -> None:
            report(before + there, total)

        bring_share_in_line(share, server, listed, now=now, report=follow)
        done += size
    report(total, total)


def shares_to_bring(batch: Batch) -> list[Assignment]:
    """A closed batch that never was in Label Studio need not go there now."""
    shares = batch.assignments.select_related("annotator", "batch__study", "batch__edition")
    return list(shares.exclude(project=None) if batch.state == BatchState.CLOSED else shares)


def bring_share_in_line(
    assignment: Assignment,
    server: LabelStudioServer,
    listed: Sequence[ProjectSeen],
    *,
    now: datetime,
    report: Report,
) -> None:
    """`listed` is what Label Studio has."""
    report(0, assignment.assigned_items.filter(taken_back_at=None).count())
    project = wanted_project(assignment)
    title = f"{assignment.batch.study.name} · {assignment.batch.name}"
    config = label_config(codebook_of(assignment.batch.edition))
    number = settle_project(project, server, listed, title=title, label_config=config, now=now)
    server.update_project(number, title=title, label_config=config)
    ask_for_webhooks(project, number, server)
    index = _settle_items(project, number, server, report)
    _begin_reading(project, index, now)
    # Before anybody gets in: only what is ready is polled
    _note_ready(project, index, now)
    keep_seat(project, server)


def _settle_items(project: Project, number: int, server: LabelStudioServer, report: Report) -> list[TaskSeen]:
    wanted = _wanted_items(project)
    for _ in range(ROUNDS):
        index = server.task_index(number)
        surplus = surplus_tasks(index, wanted={item.item_id for item in wanted})
        there = {task.item for task in index}
        missing = [item for item in wanted if item.item_id not in there]
        if surplus:
            server.delete_unannotated_tasks(number, surplus)
        if not missing and not surplus:
            return index
        for start in range(0, len(missing), MOST_TASKS):
            chunk = missing[start : start + MOST_TASKS]
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


def _wanted_items(project: Project) -> list[ItemText]:
    """In a project that had to be made again, answers that are safe here are not asked for twice."""
    places = project.assignment.assigned_items.filter(taken_back_at=None)
    answered = places.filter(submission__isnull=False).exclude(
        submission__version__project_marker=project.marker
    )
    texts = places.exclude(pk__in=answered.values("pk")).order_by("position")
    columns = ("item__item_id", "item__title", "item__post_text", "item__reply_text")
    return [ItemText(*row) for row in texts.values_list(*columns)]


def _begin_reading(project: Project, index: Sequence[TaskSeen], now: datetime) -> None:
    """Where nobody did anything yet, there is nothing to read up to here, however many items there are."""
    is_untouched = not any(task.annotations + task.skipped for task in index)
    if project.read_up_to is None and index and is_untouched:
        newest = max(task.updated_at for task in index)
        Project.objects.filter(pk=project.pk, read_up_to=None).update(
            read_up_to=newest, newest_change=newest, newest_seen_at=now, read_whole_at=now
        )


def _note_ready(project: Project, index: Sequence[TaskSeen], now: datetime) -> None:
    Project.objects.filter(pk=project.pk).update(
        state=ProjectState.READY, poll_error="", **counts_of(index, now)
    )


def counts_of(index: Sequence[TaskSeen], now: datetime) -> dict[str, int | datetime]:
    return {
        "tasks_there": len(index),
        "annotations_there": sum(task.annotations for task in index),
        "skipped_there": sum(task.skipped for task in index),
        "drafts_there": sum(task.drafts for task in index),
        "counted_at": now,
    }
