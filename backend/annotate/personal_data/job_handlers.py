"""The scan, run by a worker."""

from __future__ import annotations

from django.urls import reverse

from backend.annotate.personal_data.requests import SCAN_PERSONAL_DATA, ScanJob
from backend.annotate.personal_data.services import scan_sample
from backend.core.jobs.context import JobContext
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject
from backend.design.samples.models import Sample


@job_handler(SCAN_PERSONAL_DATA)
def scan_personal_data(context: JobContext, arguments: JsonObject) -> Json:
    job = ScanJob.model_validate(arguments)
    sample = Sample.objects.select_related("study", "corpus").get(pk=job.sample)
    n = scan_sample(
        sample=sample,
        names=job.names,
        report=lambda done, total: context.report(done=done, total=total, unit="items", note="Scanning"),
        writing=context.fenced_transaction,
    )
    return {
        "summary": f"{n:,} place{'' if n == 1 else 's'} to look at.",
        "url": reverse("personal_data:page", args=[sample.study.slug, sample.pk]),
        "open": n,
    }
