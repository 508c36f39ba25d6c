"""Calls that make reports, read and verify them, and hand them out."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from ninja import Router, Schema, Status

from backend.core.accounts.access import user_of
from backend.core.jobs.api import JobOut
from backend.core.jobs.models import Job
from backend.core.studies.access import RESEARCHER, study_of
from backend.publish.reports.files import file_of, problems_of, read_manifest
from backend.publish.reports.models import Report, ReportCheck
from backend.publish.reports.queue import enqueue_check, enqueue_report
from backend.publish.reports.requests import ReportRequest
from backend.publish.reports.selectors import report_numbered, reports_of
from backend.publish.reports.storage import zip_name, zip_report

router = Router(auth=RESEARCHER)


class ReportOut(Schema):
    """`run` is the number of the labelling run, `release` that of the release whose labels correct it."""

    number: int
    title: str
    run: int
    release: int | None
    request: dict[str, Any]
    manifest_hash: str
    created_at: datetime

    @classmethod
    def of(cls, report: Report) -> ReportOut:
        return cls(**_fields(report))


def _fields(report: Report) -> dict[str, Any]:
    return {
        "number": report.number,
        "title": report.title,
        "run": report.labelling_run.number,
        "release": report.release.number if report.release else None,
        "request": report.request,
        "manifest_hash": report.manifest_hash,
        "created_at": report.created_at,
    }


class ReportCheckOut(Schema):
    is_same: bool
    differing: list[str]
    checked_at: datetime


class WholeReportOut(ReportOut):
    """With the hash of everything that went in and of every file."""

    inputs: dict[str, str]
    files: dict[str, str]
    problems: list[str]
    checks: list[ReportCheckOut]


@router.get("", response=list[ReportOut])
def list_reports(request: HttpRequest) -> list[ReportOut]:
    """Newest first."""
    return [ReportOut.of(report) for report in reports_of(study_of(request))]


@router.post("", response={202: JobOut})
def make_report(request: HttpRequest, body: ReportRequest) -> Status[Job]:
    """Starts a job; its result names the report."""
    job = enqueue_report(study=study_of(request), request=body, actor=user_of(request), now=timezone.now())
    return Status(202, job)


@router.get("{int:number}", response=WholeReportOut)
def read_report(request: HttpRequest, number: int) -> WholeReportOut:
    report = report_numbered(study_of(request), number)
    manifest, checks = read_manifest(report), report.checks.all()
    return WholeReportOut(
        **_fields(report),
        inputs=manifest.inputs,
        files=manifest.files,
        problems=problems_of(report),
        checks=[_check(check) for check in checks],
    )


def _check(check: ReportCheck) -> ReportCheckOut:
    return ReportCheckOut(is_same=check.is_same, differing=check.differing, checked_at=check.checked_at)


@router.post("{int:number}/check", response={202: JobOut})
def check_report(request: HttpRequest, number: int) -> Status[Job]:
    """Makes it again and compares the bytes; the job's result says what differs."""
    report = report_numbered(study_of(request), number)
    return Status(202, enqueue_check(report=report, actor=user_of(request), now=timezone.now()))


@router.get("{int:number}/report.zip")
def download_report(request: HttpRequest, number: int) -> StreamingHttpResponse:
    report = report_numbered(study_of(request), number)
    headers = {"Content-Disposition": f'attachment; filename="{zip_name(report)}"'}
    return StreamingHttpResponse(zip_report(report), content_type="application/zip", headers=headers)


@router.get("{int:number}/files/{path:name}")
def read_report_file(request: HttpRequest, number: int, name: str) -> HttpResponse:
    """One file by its path in the manifest, such as `tables/shares.csv` or `report.json`."""
    content = file_of(report_numbered(study_of(request), number), name)
    if content is None:
        raise Http404("The report has no such file.")
    return HttpResponse(content, content_type="application/octet-stream")
