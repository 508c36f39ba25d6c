"""The long work of the sync, run by a worker."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone

from backend.annotate.batches.errors import BatchError
from backend.annotate.batches.models import Batch, BatchState
from backend.annotate.batches.queue import DISCARD_BATCH, PREPARE_BATCH, DiscardJob, PrepareJob
from backend.annotate.batches.services import keep_batch
from backend.annotate.label_studio.client import connect
from backend.annotate.label_studio.errors import LabelStudioError, LabelStudioUnreachable
from backend.annotate.sync.batch_lock import hold_batch_lock
from backend.annotate.sync.completion import tell_that_answers_arrived, tell_that_batch_is_in_line
from backend.annotate.sync.erasure import discard_batch
from backend.annotate.sync.push import bring_in_line
from backend.annotate.sync.repair import REPAIR_PROJECT, RepairJob, repair_project
from backend.annotate.sync.selectors import projects_with_work
from backend.core.accounts.models import User
from backend.core.jobs.context import JobContext
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject


@job_handler(PREPARE_BATCH)
def prepare_batch(context: JobContext, arguments: JsonObject) -> Json:
    job = PrepareJob.model_validate(arguments)

    def report(done: int, total: int) -> None:
        context.report(done=done, total=total, unit="items", note="Putting items into Label Studio")

    with hold_batch_lock(job.batch, context):
        batch = Batch.objects.select_related("study").filter(pk=job.batch).first()
        if batch is None or batch.state == BatchState.DISCARDING:
            return {"summary": "The batch was discarded: there is nothing to prepare."}
        bring_in_line(batch, connect(), now=timezone.now(), report=report)
    # Whoever was withdrawn, and whatever was closed, may have been the last that was waited for.
    tell_that_answers_arrived(batch.pk, timezone.now())
    tell_that_batch_is_in_line(batch.pk, timezone.now())
    return {
        "summary": f"“{batch.name}” is in line with Label Studio.",
        "url": reverse("batches:detail", args=[batch.study.slug, batch.pk]),
        "batch": batch.pk,
    }


@job_handler(DISCARD_BATCH)
def discard(context: JobContext, arguments: JsonObject) -> Json:
    """If it cannot be done, the batch is as it was before, and Label Studio is brought in line with it again."""
    job = DiscardJob.model_validate(arguments)
    with hold_batch_lock(job.batch, context):
        discarding = Batch.objects.select_related("study").filter(state=BatchState.DISCARDING)
        batch = discarding.filter(pk=job.batch).first()
        if batch is None:
            return {"summary": f"“{job.name}” is gone already, or it was kept."}
        actor = User.objects.filter(pk=job.actor).first()
        try:
            discard_batch(batch, connect(), actor=actor, now=timezone.now())
        except LabelStudioUnreachable:
            raise
        except (BatchError, LabelStudioError):
            keep_batch(batch=batch, actor=None, now=timezone.now())
            raise
    return {
        "summary": f"“{job.name}” is discarded. Its items can be given out again.",
        "url": reverse("batches:list", args=[job.slug]),
    }


@job_handler(REPAIR_PROJECT)
def repair(context: JobContext, arguments: JsonObject) -> Json:
    job = RepairJob.model_validate(arguments)

    def report(done: int, total: int) -> None:
        context.report(done=done, total=total, unit="items", note="Comparing with Label Studio")

    with hold_batch_lock(job.batch, context):
        stays = projects_with_work().exclude(assignment__batch__state=BatchState.DISCARDING)
        project = stays.filter(pk=job.project).first()
        if project is None:
            return {"summary": "The batch was discarded: there is nothing to repair."}
        pulled = repair_project(project.pk, connect(), clock=timezone.now, report=report)
    tell_that_batch_is_in_line(job.batch, timezone.now())
    changed = pulled.changes.answers + pulled.changes.doubts
    return {
        "summary": f"{pulled.versions:,} changes read, {changed:,} answers derived anew.",
        "url": reverse("sync:status", args=[project.assignment.batch.study.slug]),
    }
