"""The long work of releases, run by a worker."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone

from backend.accounts.models import User
from backend.jobs.context import JobContext
from backend.jobs.errors import JobPostponed
from backend.jobs.handlers import job_handler
from backend.jobs.values import Json, JsonObject
from backend.releases import services
from backend.releases.errors import ReleasesBusy
from backend.releases.queue import FREEZE_RELEASE
from backend.releases.requests import FreezeJob
from backend.studies.models import Study


@job_handler(FREEZE_RELEASE)
def freeze_release(context: JobContext, arguments: JsonObject) -> Json:
    job = FreezeJob.model_validate(arguments)
    study = Study.objects.get(pk=job.study)
    steps: list[str] = []

    def report(step: str) -> None:
        steps.append(step)
        context.report(done=len(steps), unit="steps", note=step)

    try:
        release = services.freeze_release(
            study=study,
            request=job.request,
            actor=User.objects.get(pk=job.actor),
            now=timezone.now(),
            report=report,
            writing=context.fenced_transaction,
        )
    except ReleasesBusy as busy:
        raise JobPostponed(str(busy)) from busy
    return {
        "summary": f"{release.counts['items']:,} items frozen.",
        "url": reverse("releases:detail", args=[study.slug, release.number]),
        "release": release.number,
    }
