"""The long work of adapters, run by a worker, which leaves the computing to the ML backend."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone

from backend.core.accounts.models import User
from backend.core.jobs.context import JobContext
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject
from backend.core.studies.models import Study
from backend.learn.models.comparing import compare_and_keep
from backend.learn.models.examining import examine_candidate
from backend.learn.models.probing import probe_and_keep
from backend.learn.models.queue import COMPARE_ADAPTERS, EXAMINE_ADAPTER, PROBE_ADAPTER, TRAIN_ADAPTER
from backend.learn.models.requests import CompareJob, ProbeJob, PromotionJob, TrainJob
from backend.learn.models.selectors import adapter_numbered
from backend.learn.models.training import train_and_register


@job_handler(TRAIN_ADAPTER)
def train_adapter(context: JobContext, arguments: JsonObject) -> Json:
    job = TrainJob.model_validate(arguments)
    study = study_of_job(context)
    adapter = train_and_register(
        context, study=study, request=job.request, actor=_actor(job.actor), now=timezone.now()
    )
    return {
        "summary": f"Adapter {adapter.number}, “{adapter.name}”, is trained.",
        "url": reverse("models:detail", args=[study.slug, adapter.number]),
        "adapter": adapter.number,
    }


@job_handler(EXAMINE_ADAPTER)
def examine_adapter(context: JobContext, arguments: JsonObject) -> Json:
    job = PromotionJob.model_validate(arguments)
    study = study_of_job(context)
    adapter = adapter_numbered(study, job.adapter)
    report = examine_candidate(context, adapter=adapter, actor=_actor(job.actor), now=timezone.now())
    words = "meets the promotion rule" if report.passed else "does not meet the promotion rule"
    return {
        "summary": f"“{adapter.name}” {words}.",
        "url": reverse("models:promotion_report", args=[study.slug, report.pk]),
        "report": report.pk,
        "passed": report.passed,
    }


@job_handler(PROBE_ADAPTER)
def probe_adapter(context: JobContext, arguments: JsonObject) -> Json:
    job = ProbeJob.model_validate(arguments)
    study = study_of_job(context)
    adapter = adapter_numbered(study, job.adapter)
    found = probe_and_keep(
        context, adapter=adapter, asked=job.request, actor=_actor(job.actor), now=timezone.now()
    )
    return {
        "summary": f"“{adapter.name}” is probed.",
        "url": f"{reverse('models:probe', args=[study.slug, adapter.number])}?probe={found.pk}",
        "probe": found.pk,
    }


@job_handler(COMPARE_ADAPTERS)
def compare_adapters(context: JobContext, arguments: JsonObject) -> Json:
    job = CompareJob.model_validate(arguments)
    study = study_of_job(context)
    first, second = (adapter_numbered(study, number) for number in (job.first, job.second))
    found = compare_and_keep(
        context, first=first, second=second, part=job.part, actor=_actor(job.actor), now=timezone.now()
    )
    return {
        "summary": f"“{first.name}” and “{second.name}” are compared.",
        "url": reverse("models:comparison", args=[study.slug, found.pk]),
        "comparison": found.pk,
    }


def study_of_job(context: JobContext) -> Study:
    return Study.objects.get(jobs=context.job_id)


def _actor(pk: int | None) -> User | None:
    return User.objects.filter(pk=pk).first() if pk else None
