"""Puts one project right: pushes what is missing there, reads everything again, derives all judgments anew."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from pydantic import BaseModel

from backend.annotate.judgments.derivation import derive_items
from backend.annotate.label_studio.server import LabelStudioServer
from backend.annotate.sync.models import Project
from backend.annotate.sync.pull import NOTHING, Pulled, pull_everything
from backend.annotate.sync.push import Report, bring_share_in_line
from backend.annotate.sync.selectors import projects_with_work
from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.services import enqueue_job

REPAIR_PROJECT = "repair_project"


class RepairJob(BaseModel):
    """The arguments of a repair."""

    project: int
    batch: int


def enqueue_repair(*, project: Project, actor: User | None, now: datetime) -> Job:
    return enqueue_job(
        kind=REPAIR_PROJECT,
        arguments=RepairJob(project=project.pk, batch=project.assignment.batch_id).model_dump(mode="json"),
        study=project.assignment.batch.study,
        created_by=actor,
        now=now,
    )


def repair_project(
    project_pk: int, server: LabelStudioServer, *, clock: Callable[[], datetime], report: Report
) -> Pulled:
    project = projects_with_work().get(pk=project_pk)
    listed = server.projects()
    # First what was done there, so that no answer is asked for twice; then what is missing; then all once more.
    is_there = any((found.id, found.marker) == (project.label_studio_id, project.marker) for found in listed)
    pulled = pull_everything(project, server, now=clock()) if is_there else NOTHING
    bring_share_in_line(project.assignment, server, listed, now=clock(), report=report)
    project = projects_with_work().get(pk=project_pk)
    pulled += pull_everything(project, server, now=clock())
    changes = derive_items(assignment=project.assignment, item_keys=None, now=clock())
    return pulled + Pulled(0, changes)
