"""The long work of releases, run by a worker."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone

from backend.core.accounts.models import User
from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobPostponed
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject
from backend.core.studies.models import Study
from backend.decide.releases import services
from backend.decide.releases.errors import ReleasesBusy
from backend.decide.releases.requests import FreezeJob
from backend.decide.releases.services import FREEZE_RELEASE


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
