"""Pages on which researchers have a corpus labelled, watch it, pause it and go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from backend.core.accounts.access import user_of
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.learn.models.promotion import promotion_of
from backend.learn.models.selectors import adapters_of
from backend.publish.labelling import services
from backend.publish.labelling.errors import LabellingError
from backend.publish.labelling.exports import csv_pieces, label_counts, parquet_pieces
from backend.publish.labelling.forms import LabelForm
from backend.publish.labelling.models import LabellingRun
from backend.publish.labelling.progress import progress_of
from backend.publish.labelling.selectors import finished_run_numbered, labelling_runs, run_numbered

RUNS_A_PAGE = 25


@study_view(StudyRole.RESEARCHER)
@require_GET
def run_list(request: HttpRequest, study: Study) -> HttpResponse:
    page = Paginator(labelling_runs(study), RUNS_A_PAGE).get_page(request.GET.get("page"))
    now = timezone.now()
    context = {
        "study": study,
        "page": page,
        "rows": [progress_of(run, now=now) for run in page],
        "has_adapters": study.adapters.exists(),
        "has_corpora": study.corpora.exists(),
    }
    return render(request, "labelling/list.html", context)


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def start(request: HttpRequest, study: Study) -> HttpResponse:
    adapters = list(adapters_of(study))
    if request.method == "POST":
        form = LabelForm(request.POST, study=study, adapters=adapters)
        if form.is_valid():
            try:
                run = services.start_run(
                    study=study, request=form.label_request(), actor=user_of(request), now=timezone.now()
                )
                return redirect("labelling:detail", slug=study.slug, number=run.number)
            except LabellingError as problem:
                form.add_error(None, str(problem))
            except forms.ValidationError as problem:
                form.add_error(None, problem)
    else:
        form = LabelForm(study=study, adapters=adapters, initial={"adapter": request.GET.get("adapter", "")})
    context = {
        "study": study,
        "form": form,
        "has_adapters": bool(adapters),
        "has_corpora": study.corpora.exists(),
    }
    return render(request, "labelling/start.html", context)


@study_view(StudyRole.RESEARCHER)
@require_GET
def detail(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    return _run_page(request, study, number, "labelling/detail.html")


@study_view(StudyRole.RESEARCHER)
@require_GET
def progress(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    """The live part of a run's page; it stops asking once nothing is under way."""
    return _run_page(request, study, number, "labelling/_progress.html")


def _run_page(request: HttpRequest, study: Study, number: int, template: str) -> HttpResponse:
    run = run_numbered(study, number)
    row = progress_of(run, now=timezone.now())
    counts = label_counts(run) if run.output_hash and run.folder.is_dir() else []
    promotion = promotion_of(run.adapter)
    context = {"study": study, "run": run, "row": row, "counts": counts, "promotion": promotion}
    return render(request, template, context)


@study_view(StudyRole.RESEARCHER)
@require_GET
def download_csv(request: HttpRequest, study: Study, number: int) -> HttpResponseBase:
    run = finished_run_numbered(study, number)
    return _download(csv_pieces(run), "text/csv", f"labels-{study.slug}-{run.number}.csv")


@study_view(StudyRole.RESEARCHER)
@require_GET
def download_parquet(request: HttpRequest, study: Study, number: int) -> HttpResponseBase:
    run = finished_run_numbered(study, number)
    return _download(parquet_pieces(run), "application/zip", f"labels-{study.slug}-{run.number}.zip")


def _download(pieces: Iterator[bytes], kind: str, name: str) -> HttpResponseBase:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(pieces, content_type=kind, headers=headers)


@study_view(StudyRole.RESEARCHER)
@require_POST
def pause(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    return _do(request, study, number, services.pause_run, "The run pauses. What is labelled stays.")


@study_view(StudyRole.RESEARCHER)
@require_POST
def resume(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    return _do(request, study, number, services.resume_run, "The run goes on from what is labelled.")


@study_view(StudyRole.RESEARCHER)
@require_POST
def cancel(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    return _do(request, study, number, services.cancel_run, "The run is told to stop.")


def _do(
    request: HttpRequest, study: Study, number: int, service: Callable[..., LabellingRun], words: str
) -> HttpResponse:
    try:
        service(run=run_numbered(study, number), actor=user_of(request), now=timezone.now())
        messages.success(request, words)
    except LabellingError as problem:
        messages.error(request, str(problem))
    return redirect("labelling:detail", slug=study.slug, number=number)
