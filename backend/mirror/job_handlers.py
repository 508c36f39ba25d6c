"""The long work of the mirror, run by a worker."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.urls import reverse
from django.utils import timezone

from backend.batches.models import Batch
from backend.batches.queue import PREPARE_BATCH, PrepareJob
from backend.jobs.context import JobContext
from backend.jobs.errors import JobPostponed
from backend.jobs.handlers import job_handler
from backend.jobs.values import Json, JsonObject
from backend.label_studio.client import connect
from backend.label_studio.errors import LabelStudioUnreachable
from backend.mirror.errors import BatchIsBusy
from backend.mirror.push import bring_in_line
from backend.mirror.repair import REPAIR_PROJECT, RepairJob, repair_project
from backend.mirror.selectors import projects_with_work
from backend.mirror.turns import take_turn


@contextmanager
def _patience(context: JobContext, batch: Batch) -> Iterator[None]:
    """Label Studio will be up again, and another job on the batch will end: until then this one waits in the queue."""
    try:
        take_turn(batch=batch, job_id=context.job_id)
        yield
    except BatchIsBusy as problem:
        raise JobPostponed(str(problem)) from problem
    except LabelStudioUnreachable as problem:
        context.report(done=0, note="Waiting for Label Studio to answer")
        raise JobPostponed(str(problem)) from problem


@job_handler(PREPARE_BATCH)
def prepare_batch(context: JobContext, arguments: JsonObject) -> Json:
    job = PrepareJob.model_validate(arguments)
    batch = Batch.objects.select_related("study").get(pk=job.batch)

    def report(done: int, total: int) -> None:
        context.report(done=done, total=total, unit="items", note="Putting items into Label Studio")

    with _patience(context, batch):
        bring_in_line(batch, connect(), now=timezone.now(), report=report)
    return {
        "summary": f"“{batch.name}” is in line with Label Studio.",
        "url": reverse("batches:detail", args=[batch.study.slug, batch.pk]),
        "batch": batch.pk,
    }


@job_handler(REPAIR_PROJECT)
def repair(context: JobContext, arguments: JsonObject) -> Json:
    job = RepairJob.model_validate(arguments)
    project = projects_with_work().get(pk=job.project)

    def report(done: int, total: int) -> None:
        context.report(done=done, total=total, unit="items", note="Comparing with Label Studio")

    with _patience(context, project.assignment.batch):
        pulled = repair_project(project.pk, connect(), clock=timezone.now, report=report)
    changed = pulled.changes.answers + pulled.changes.doubts
    return {
        "summary": f"{pulled.versions:,} changes read, {changed:,} answers derived anew.",
        "url": reverse("mirror:status", args=[project.assignment.batch.study.slug]),
    }
