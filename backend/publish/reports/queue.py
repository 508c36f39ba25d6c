"""Leaves it to a worker to make a report, and to make it again."""

from __future__ import annotations

from datetime import datetime

from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.services import enqueue_job
from backend.core.studies.models import Study
from backend.publish.reports.models import Report
from backend.publish.reports.requests import CheckJob, MakeJob, ReportRequest
from backend.publish.reports.services import settled_request

MAKE_REPORT, CHECK_REPORT = "make_report", "check_report"


def enqueue_report(*, study: Study, request: ReportRequest, actor: User, now: datetime) -> Job:
    """Refused at once where it could never be made."""
    settled = settled_request(study, request)
    job = MakeJob(study=study.pk, request=settled, actor=actor.pk)
    return enqueue_job(
        kind=MAKE_REPORT, arguments=job.model_dump(mode="json"), study=study, created_by=actor, now=now
    )


def enqueue_check(*, report: Report, actor: User, now: datetime) -> Job:
    job = CheckJob(report=report.pk, actor=actor.pk)
    return enqueue_job(
        kind=CHECK_REPORT,
        arguments=job.model_dump(mode="json"),
        study=report.study,
        created_by=actor,
        now=now,
    )
