"""The long work of adjudication, run by a worker."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone

from backend.core.jobs.context import JobContext
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject
from backend.core.studies.models import Study
from backend.decide.adjudication.models import QueueMark
from backend.decide.adjudication.queue_rows import REFRESH_QUEUE, refresh_queue
from backend.decide.adjudication.suspects import find_suspects
from backend.decide.adjudication.suspicion_rows import FIND_SUSPECTS


@job_handler(FIND_SUSPECTS)
def find_suspects_job(context: JobContext, arguments: JsonObject) -> Json:
    study = Study.objects.get(pk=int(str(arguments["study"])))
    found = find_suspects(
        study=study,
        now=timezone.now(),
        report=lambda done, total: context.report(done, total, "steps", "Comparing texts"),
        writing=context.fenced_transaction,
    )
    summary = f"{found:,} new suspect{'' if found == 1 else 's'} joined the queue."
    return {"summary": summary, "url": reverse("adjudication:queue", args=[study.slug]), "found": found}


@job_handler(REFRESH_QUEUE)
def refresh_queue_job(context: JobContext, arguments: JsonObject) -> Json:
    study = Study.objects.get(pk=int(str(arguments["study"])))
    total = QueueMark.objects.filter(study_pk=study.pk).values("item_pk").distinct().count()
    done = refresh_queue(
        study, report=lambda done: context.report(done, max(done, total), "items", "Counting the queue again")
    )
    summary = f"{done:,} item{'' if done == 1 else 's'} of the queue worked out again."
    return {"summary": summary, "url": reverse("adjudication:queue", args=[study.slug])}
