"""Pages of transfer studies: start one, follow it, and read its matrix."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from backend.core.accounts.access import user_of
from backend.core.accounts.models import User
from backend.core.jobs.selectors import job_pace
from backend.core.jobs.views import JobRow
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.learn.transfer.errors import TransferError
from backend.learn.transfer.forms import TransferForm
from backend.learn.transfer.models import TransferRun
from backend.learn.transfer.page import CONTENT_TYPES, figures, file_names, file_of, matrices, zip_of
from backend.learn.transfer.requests import choosable_tasks
from backend.learn.transfer.selectors import run_numbered, runs_of
from backend.learn.transfer.services import resume_transfer, start_transfer, stop_transfer


@study_view(StudyRole.RESEARCHER)
@require_GET
def run_list(request: HttpRequest, study: Study) -> HttpResponse:
    return render(request, "transfer/list.html", {"study": study, "runs": runs_of(study)})


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest, study: Study) -> HttpResponse:
    choices = choosable_tasks(study, user_of(request))
    form = TransferForm(request.POST or None, choices=choices)
    if request.method == "POST" and form.is_valid():
        try:
            run = start_transfer(
                study=study, asked=form.request(), actor=user_of(request), now=timezone.now()
            )
            return redirect("transfer:detail", slug=study.slug, number=run.number)
        except TransferError as problem:
            form.add_error(None, str(problem))
    return render(request, "transfer/new.html", {"study": study, "form": form, "choices": choices})


@study_view(StudyRole.RESEARCHER)
@require_GET
def detail(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    run = run_numbered(study, number)
    context = {"study": study, "asked": run.read_request(), **_progress(run)}
    results = run.read_results()
    if results is not None:
        context |= {
            "results": results,
            "matrices": matrices(results),
            "figures": figures(results),
            "files": file_names(run, results),
        }
    return render(request, "transfer/detail.html", context)


@study_view(StudyRole.RESEARCHER)
@require_GET
def progress(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    """The live part of the page; once the study is done, the whole page is loaded anew."""
    run = run_numbered(study, number)
    answer = render(request, "transfer/_progress.html", {"study": study, **_progress(run)})
    if run.is_finished:
        answer.headers["HX-Refresh"] = "true"
    return answer


def _progress(run: TransferRun) -> dict[str, object]:
    row = JobRow(run.job, job_pace(run.job, now=timezone.now())) if run.job else None
    return {"run": run, "row": row}


@study_view(StudyRole.RESEARCHER)
@require_POST
def stop(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    return _change(request, study, number, stop_transfer)


@study_view(StudyRole.RESEARCHER)
@require_POST
def resume(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    return _change(request, study, number, resume_transfer)


def _change(
    request: HttpRequest, study: Study, number: int, change: Callable[..., TransferRun]
) -> HttpResponse:
    actor: User = user_of(request)
    now: datetime = timezone.now()
    try:
        change(run=run_numbered(study, number), actor=actor, now=now)
    except TransferError as problem:
        messages.error(request, str(problem))
    return redirect("transfer:detail", slug=study.slug, number=number)


@study_view(StudyRole.RESEARCHER)
@require_GET
def file(request: HttpRequest, study: Study, number: int, name: str) -> HttpResponse:
    content = file_of(run_numbered(study, number), name)
    if content is None:
        raise Http404("This transfer study has no such file, or is not done yet.")
    return download(content, CONTENT_TYPES[name.rpartition(".")[2]], f"{study.slug}-transfer-{number}-{name}")


@study_view(StudyRole.RESEARCHER)
@require_GET
def zip_file(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    content = zip_of(run_numbered(study, number))
    if content is None:
        raise Http404("This transfer study is not done yet.")
    return download(content, "application/zip", f"{study.slug}-transfer-{number}.zip")


def download(content: bytes, content_type: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)
