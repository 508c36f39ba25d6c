"""Puts one project right: pushes what is missing there, reads everything again, derives all judgments anew."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from pydantic import BaseModel

from backend.accounts.models import User
from backend.jobs.models import Job
from backend.jobs.services import enqueue_job
from backend.judgments.derivation import derive_items
from backend.label_studio.server import LabelStudioServer
from backend.mirror.models import Project
from backend.mirror.pull import NOTHING, Pulled, pull_everything
from backend.mirror.push import Report, bring_share_in_line
from backend.mirror.selectors import projects_with_work

REPAIR_PROJECT = "repair_project"


class RepairJob(BaseModel):
    """The arguments of a repair."""

    project: int
    slug: str


def enqueue_repair(*, project: Project, actor: User | None, now: datetime) -> Job:
    study = project.assignment.batch.study
    job = RepairJob(project=project.pk, slug=study.slug)
    return enqueue_job(
        kind=REPAIR_PROJECT, arguments=job.model_dump(mode="json"), study=study, created_by=actor, now=now
    )


def repair_project(
    project_pk: int, server: LabelStudioServer, *, clock: Callable[[], datetime], report: Report
) -> Pulled:
    project = projects_with_work().get(pk=project_pk)
    # First what was done there, so that no answer is asked for twice; then what is missing; then all once more.
    pulled = _read_if_there(project, server, clock)
    bring_share_in_line(project.assignment, server, now=clock(), report=report)
    project = projects_with_work().get(pk=project_pk)
    pulled += pull_everything(project, server, now=clock())
    changes = derive_items(assignment=project.assignment, item_keys=None, now=clock())
    return pulled + Pulled(0, changes)


def _read_if_there(project: Project, server: LabelStudioServer, clock: Callable[[], datetime]) -> Pulled:
    there = {seen.id for seen in server.projects()}
    if project.label_studio_id in there:
        return pull_everything(project, server, now=clock())
    return NOTHING
