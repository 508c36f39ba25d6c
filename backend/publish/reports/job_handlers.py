"""The long work of reports, run by a worker."""

from __future__ import annotations

from collections.abc import Callable

from django.urls import reverse
from django.utils import timezone

from backend.core.accounts.models import User
from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobPostponed
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject
from backend.core.studies.models import Study
from backend.publish.reports import services
from backend.publish.reports.errors import ReportsBusy
from backend.publish.reports.making import STEPS
from backend.publish.reports.models import Report
from backend.publish.reports.queue import CHECK_REPORT, MAKE_REPORT
from backend.publish.reports.requests import CheckJob, MakeJob


@job_handler(MAKE_REPORT)
def make_report(context: JobContext, arguments: JsonObject) -> Json:
    job = MakeJob.model_validate(arguments)
    study = Study.objects.get(pk=job.study)
    try:
        report = services.make_report(
            study=study,
            request=job.request,
            actor=User.objects.get(pk=job.actor),
            now=timezone.now(),
            say=_say_to(context),
            writing=context.fenced_transaction,
        )
    except ReportsBusy as busy:
        raise JobPostponed(str(busy)) from busy
    return {
        "summary": f"Report {report.number} is made.",
        "url": reverse("reports:detail", args=[study.slug, report.number]),
        "report": report.number,
    }


@job_handler(CHECK_REPORT)
def check_report(context: JobContext, arguments: JsonObject) -> Json:
    job = CheckJob.model_validate(arguments)
    report = Report.objects.select_related("study").get(pk=job.report)
    try:
        check = services.check_report(
            report=report,
            actor=User.objects.get(pk=job.actor),
            now=timezone.now(),
            say=_say_to(context),
            writing=context.fenced_transaction,
        )
    except ReportsBusy as busy:
        raise JobPostponed(str(busy)) from busy
    n = len(check.differing)
    return {
        "summary": f"{n:,} things differ." if n else "Every file came out the same, byte for byte.",
        "url": reverse("reports:detail", args=[report.study.slug, report.number]),
        "is_same": check.is_same,
        "differing": check.differing,
    }


def _say_to(context: JobContext) -> Callable[[str], None]:
    said: list[str] = []

    def say(note: str) -> None:
        context.report(done=len(said), total=STEPS, unit="steps", note=note)
        said.append(note)

    return say
