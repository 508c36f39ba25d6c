"""The long work of pre-labels, run by a worker: predicting by the ML backend, showing it in Label Studio, comparing."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone

from backend.annotate.batches.models import Batch, BatchState
from backend.annotate.label_studio.client import connect
from backend.annotate.sync.batch_lock import hold_batch_lock
from backend.core.jobs.context import JobContext
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject
from backend.core.studies.models import Study
from backend.learn.prelabels.comparing import COMPARE_CONDITIONS, compare_study
from backend.learn.prelabels.predicting import predict_batch
from backend.learn.prelabels.pushing import Pushed, push_suggestions
from backend.learn.prelabels.queue import PUSH_PRELABELS, PushJob
from backend.learn.prelabels.selectors import Suggesting, has_suggestions, suggesting_in
from backend.learn.prelabels.services import assign_conditions


@job_handler(PUSH_PRELABELS)
def push_prelabels(context: JobContext, arguments: JsonObject) -> Json:
    job = PushJob.model_validate(arguments)
    batch = _batch(job.batch)
    if batch is None or batch.state == BatchState.DISCARDING:
        return {"summary": "The batch was discarded: there is nothing to suggest."}
    suggesting = suggesting_in(batch)
    if suggesting.adapter is not None:
        with context.fenced_transaction():
            assign_conditions(batch, now=timezone.now())
        predict_batch(context, batch, suggesting.adapter, now=timezone.now())
    elif not has_suggestions(batch):
        return {"summary": suggesting.why_not}

    def report(done: int, total: int) -> None:
        context.report(done=done, total=total, unit="shares", note="Showing suggestions in Label Studio")

    with hold_batch_lock(batch.pk, context):
        # As it is now: predicting may have taken long.
        if suggesting_in(batch).adapter != suggesting.adapter:
            return {
                "summary": "Another adapter entered service meanwhile: the next job shows what it suggests."
            }
        pushed = push_suggestions(batch, suggesting.adapter, connect(), now=timezone.now(), report=report)
    return {
        "summary": _summary(batch, suggesting, pushed),
        "url": reverse("prelabels:page", args=[batch.study.slug]),
        "batch": batch.pk,
    }


@job_handler(COMPARE_CONDITIONS)
def compare_conditions(context: JobContext, arguments: JsonObject) -> Json:
    study = Study.objects.filter(pk=int(str(arguments["study"]))).first()
    if study is None or compare_study(study) is None:
        return {"summary": "There is nothing to compare any more."}
    return {
        "summary": "Suggested and blind items are compared.",
        "url": reverse("prelabels:page", args=[study.slug]),
    }


def _batch(pk: int) -> Batch | None:
    return Batch.objects.select_related("study", "edition").filter(pk=pk).first()


def _summary(batch: Batch, suggesting: Suggesting, pushed: Pushed) -> str:
    if suggesting.adapter is None:
        return f"“{batch.name}” shows no suggestions. {suggesting.why_not}"
    return (
        f"“{batch.name}”: {pushed.suggested:,} items show what “{suggesting.adapter.name}” suggests, "
        f"{pushed.blind:,} are blind, {pushed.begun:,} were begun and stay as they were."
    )
