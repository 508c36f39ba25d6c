"""Looks at a batch after answers came in, and asks for more where they are needed."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone

from backend.annotate.adaptive_overlap.services import ASK_AGAIN, AskJob, ask_again
from backend.annotate.batches.models import Batch
from backend.core.jobs.context import JobContext
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject


@job_handler(ASK_AGAIN)
def ask_where_unsure(context: JobContext, arguments: JsonObject) -> Json:
    job = AskJob.model_validate(arguments)
    batch = Batch.objects.select_related("study", "edition").filter(pk=job.batch).first()
    if batch is None:
        return {"summary": "The batch was discarded: there is nobody to ask."}
    with context.fenced_transaction():
        n = ask_again(batch, now=timezone.now())
    return {
        "summary": f"{n:,} more answers asked for in “{batch.name}”.",
        "url": reverse("batches:detail", args=[batch.study.slug, batch.pk]),
        "asked": n,
    }
