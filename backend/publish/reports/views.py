"""Pages of reports."""

from __future__ import annotations

import mimetypes

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from analysis.report.registry import section_titles
from analysis.values import Way
from backend.core.accounts.access import user_of
from backend.core.jobs.selectors import active_jobs
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.core.web.addresses import whole_number
from backend.publish.labelling.models import LabellingRun
from backend.publish.labelling.selectors import finished_runs
from backend.publish.reports.errors import ReportError
from backend.publish.reports.files import file_of, problems_of, read_content, read_manifest
from backend.publish.reports.forms import ReportForm
from backend.publish.reports.models import Report
from backend.publish.reports.page import shown_sections
from backend.publish.reports.queue import CHECK_REPORT, MAKE_REPORT, enqueue_check, enqueue_report
from backend.publish.reports.selectors import communities_of, last_topics, report_numbered, reports_of
from backend.publish.reports.storage import zip_name, zip_report


@study_view(StudyRole.RESEARCHER)
@require_GET
def report_list(request: HttpRequest, study: Study) -> HttpResponse:
    context = {
        "study": study,
        "reports": reports_of(study),
        "has_run": finished_runs(study).exists(),
        "jobs": active_jobs(study.pk).filter(kind__in=(MAKE_REPORT, CHECK_REPORT)).order_by("pk"),
    }
    return render(request, "reports/list.html", context)


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest, study: Study) -> HttpResponse:
    """For the newest finished run, unless another is asked for."""
    runs = list(finished_runs(study))
    if not runs:
        return redirect("reports:list", slug=study.slug)
    asked = whole_number(request.GET.get("run"), default=0)
    run = next((each for each in runs if each.number == asked), runs[0])
    form = _form(request, study, run)
    if request.method == "POST" and form.is_valid():
        try:
            job = enqueue_report(
                study=study, request=form.report_request(), actor=user_of(request), now=timezone.now()
            )
            return redirect("jobs:detail", slug=study.slug, job_id=job.pk)
        except ReportError as problem:
            form.add_error(None, str(problem))
    context = {"study": study, "form": form, "run": run, "runs": runs, "scope": run.read_scope().in_words()}
    return render(request, "reports/new.html", context)


def _form(request: HttpRequest, study: Study, run: LabellingRun) -> ReportForm:
    releases = list(study.releases.all())
    drawn_here = [each for each in releases if not each.is_imported]
    of_edition = [each for each in drawn_here if each.edition_id == run.edition_id]
    proposed = next(iter(of_edition or drawn_here), None)
    initial = {"release": proposed.number if proposed else "", "sections": list(section_titles())}
    return ReportForm(
        request.POST if request.method == "POST" else None,
        request.FILES or None,
        run=run,
        communities=communities_of(run),
        topics=last_topics(study),
        releases=releases,
        initial=initial,
    )


@study_view(StudyRole.RESEARCHER)
@require_GET
def detail(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    report = report_numbered(study, number)
    context = {
        "study": study,
        "report": report,
        "checks": report.checks.select_related("checked_by")[:5],
        "jobs": active_jobs(study.pk).filter(kind=CHECK_REPORT, arguments__report=report.pk),
    }
    try:
        return render(request, "reports/detail.html", context | _content(report))
    except ReportError as problem:
        return render(request, "reports/detail.html", context | {"problem": problem})


def _content(report: Report) -> dict[str, object]:
    content, manifest = read_content(report), read_manifest(report)
    return {
        "content": content,
        "is_corrected": Way.CORRECTED in content.ways,
        "sections": list(shown_sections(content.sections)),
        "methods": "\n\n".join(f"{each.title}. {each.text}" for each in content.methods),
        "manifest": manifest,
        "n_files": len(manifest.files) + 1,
    }


@study_view(StudyRole.RESEARCHER)
@require_POST
def verify(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    problems = problems_of(report_numbered(study, number))
    if problems:
        messages.error(request, f"The files are not what was made. {'; '.join(problems)}")
    else:
        messages.success(request, "Every file is, byte for byte, what was made.")
    return redirect("reports:detail", slug=study.slug, number=number)


@study_view(StudyRole.RESEARCHER)
@require_POST
def check(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    """Makes it again and compares."""
    job = enqueue_check(report=report_numbered(study, number), actor=user_of(request), now=timezone.now())
    return redirect("jobs:detail", slug=study.slug, job_id=job.pk)


@study_view(StudyRole.RESEARCHER)
@require_GET
def download(request: HttpRequest, study: Study, number: int) -> HttpResponseBase:
    report = report_numbered(study, number)
    try:
        pieces = zip_report(report)
    except ReportError as problem:
        messages.error(request, str(problem))
        return redirect("reports:detail", slug=study.slug, number=number)
    headers = {"Content-Disposition": f'attachment; filename="{zip_name(report)}"'}
    return StreamingHttpResponse(pieces, content_type="application/zip", headers=headers)


@study_view(StudyRole.RESEARCHER)
@require_GET
def one_file(request: HttpRequest, study: Study, number: int, name: str) -> HttpResponse:
    """By a name that the manifest has, and no other."""
    report = report_numbered(study, number)
    try:
        content = file_of(report, name)
    except ReportError as problem:
        raise Http404(str(problem)) from problem
    if content is None:
        raise Http404("The report has no such file.")
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    place = f"{study.slug}-report-{number}-{name.replace('/', '-')}"
    headers = {"Content-Disposition": f'attachment; filename="{place}"'}
    return HttpResponse(content, content_type=kind, headers=headers)
