"""The long work of the mirror, run by a worker."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from backend.accounts.models import User
from backend.batches.errors import BatchError
from backend.batches.models import Batch, BatchState
from backend.batches.queue import DISCARD_BATCH, PREPARE_BATCH, DiscardJob, PrepareJob
from backend.batches.services import keep_batch
from backend.jobs.context import JobContext
from backend.jobs.errors import JobPostponed
from backend.jobs.handlers import job_handler
from backend.jobs.models import Job, JobState
from backend.jobs.values import Json, JsonObject
from backend.label_studio.client import connect
from backend.label_studio.errors import LabelStudioError, LabelStudioUnreachable
from backend.mirror.erasure import discard_batch
from backend.mirror.models import Project
from backend.mirror.push import bring_in_line
from backend.mirror.repair import REPAIR_PROJECT, RepairJob, repair_project


@contextmanager
def _patience(context: JobContext) -> Iterator[None]:
    """A Label Studio that is down will be up again: the job goes back to the queue and is tried soon."""
    try:
        yield
    except LabelStudioUnreachable as problem:
        context.report(done=0, note="Waiting for Label Studio to answer")
        raise JobPostponed(str(problem)) from problem


@job_handler(PREPARE_BATCH)
def prepare_batch(context: JobContext, arguments: JsonObject) -> Json:
    job = PrepareJob.model_validate(arguments)
    batch = Batch.objects.select_related("study").filter(pk=job.batch).first()
    if batch is None or batch.state == BatchState.DISCARDING:
        return {"summary": "The batch was discarded: there is nothing to prepare."}

    def report(done: int, total: int) -> None:
        context.report(done=done, total=total, unit="items", note="Putting items into Label Studio")

    with _patience(context):
        bring_in_line(batch, connect(), now=timezone.now(), report=report)
    return {
        "summary": f"“{batch.name}” is in line with Label Studio.",
        "url": reverse("batches:detail", args=[batch.study.slug, batch.pk]),
        "batch": batch.pk,
    }


@job_handler(DISCARD_BATCH)
def discard(context: JobContext, arguments: JsonObject) -> Json:
    """If it cannot be done, the batch is as it was before, and Label Studio is brought in line with it again."""
    job = DiscardJob.model_validate(arguments)
    batch = Batch.objects.select_related("study").filter(pk=job.batch, state=BatchState.DISCARDING).first()
    if batch is None:
        return {"summary": f"“{job.name}” is gone already, or it was kept."}
    _wait_for_others(batch)
    actor = User.objects.filter(pk=job.actor).first()
    try:
        with _patience(context):
            discard_batch(batch, connect(), actor=actor, now=timezone.now())
    except (BatchError, LabelStudioError):
        keep_batch(batch=batch, actor=None, now=timezone.now())
        raise
    return {
        "summary": f"“{job.name}” is discarded. Its items can be given out again.",
        "url": reverse("batches:list", args=[job.slug]),
    }


def _wait_for_others(batch: Batch) -> None:
    """Who began to push this batch before it was to go could make a project after all were deleted."""
    projects = list(Project.objects.filter(assignment__batch=batch).values_list("pk", flat=True))
    pushes = Q(kind=PREPARE_BATCH, arguments__batch=batch.pk)
    repairs = Q(kind=REPAIR_PROJECT, arguments__project__in=projects)
    if Job.objects.filter(pushes | repairs, state=JobState.RUNNING).exists():
        raise JobPostponed(f"“{batch.name}” is being brought in line with Label Studio at the moment.")


@job_handler(REPAIR_PROJECT)
def repair(context: JobContext, arguments: JsonObject) -> Json:
    job = RepairJob.model_validate(arguments)
    stays = Project.objects.exclude(assignment__batch__state=BatchState.DISCARDING)
    if not stays.filter(pk=job.project).exists():
        return {"summary": "The batch was discarded: there is nothing to repair."}

    def report(done: int, total: int) -> None:
        context.report(done=done, total=total, unit="items", note="Comparing with Label Studio")

    with _patience(context):
        pulled = repair_project(job.project, connect(), clock=timezone.now, report=report)
    changed = pulled.changes.answers + pulled.changes.doubts
    return {
        "summary": f"{pulled.versions:,} changes read, {changed:,} answers derived anew.",
        "url": reverse("mirror:status", args=[job.slug]),
    }
