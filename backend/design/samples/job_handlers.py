"""The long work of samples, run by a worker."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone

from backend.core.accounts.models import User
from backend.core.jobs.context import JobContext
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject
from backend.core.studies.models import Study
from backend.design.samples import services
from backend.design.samples.requests import DRAW_SAMPLE, DrawJob


@job_handler(DRAW_SAMPLE)
def draw_sample(context: JobContext, arguments: JsonObject) -> Json:
    job = DrawJob.model_validate(arguments)
    request, study = job.request, Study.objects.get(pk=job.study)
    sample = services.draw_into_study(
        corpus=request.corpus_in(study),
        name=request.name,
        design=request.design(),
        seed=request.seed,
        disjoint_from=request.samples_to_avoid(study),
        actor=User.objects.get(pk=job.actor),
        now=timezone.now(),
        report=lambda done, total: context.report(done=done, total=total, unit="items", note="Storing items"),
        writing=context.fenced_transaction,
    )
    return {
        "summary": f"{sample.n_items:,} items drawn.",
        "url": reverse("samples:detail", args=[study.slug, sample.pk]),
        "sample": sample.pk,
    }
