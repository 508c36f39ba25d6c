"""Pages of corpora: what is in them, what was left out and why, and how texts come in."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from backend.core.accounts.access import user_of
from backend.core.jobs.models import JobState
from backend.core.jobs.selectors import active_jobs, study_jobs
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.core.web.addresses import whole_number
from backend.design.corpora import files as study_files
from backend.design.corpora import selectors, services
from backend.design.corpora.charts import corpus_charts
from backend.design.corpora.errors import CorporaError
from backend.design.corpora.forms import IMPORT_FORMS, ChosenTable, CorpusForm, UploadForm
from backend.design.corpora.import_requests import PairsImport
from backend.design.corpora.previews import preview_of, seen_mark
from backend.design.corpora.services import IMPORT_CORPUS
from backend.design.corpora.threads import thread_page
from corpus.errors import CorpusError
from corpus.registry import readers
from corpus.rules import ReadLimits
from corpus.table_columns import table_head

TABLES = ("pairs", "labels")


@study_view(StudyRole.RESEARCHER)
@require_GET
def corpus_list(request: HttpRequest, study: Study) -> HttpResponse:
    context = {
        "study": study,
        "rows": [(corpus, *selectors.corpus_counts(corpus)) for corpus in study.corpora.all()],
        "jobs": active_jobs(study.pk).filter(kind=IMPORT_CORPUS),
    }
    return render(request, "corpora/list.html", context)


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def create(request: HttpRequest, study: Study) -> HttpResponse:
    form = CorpusForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            corpus = services.create_corpus(
                study=study, actor=user_of(request), now=timezone.now(), **form.cleaned_data
            )
            return redirect("corpora:detail", slug=study.slug, corpus_slug=corpus.slug)
        except CorporaError as problem:
            form.add_error("name", str(problem))
    return render(request, "corpora/create.html", {"study": study, "form": form})


@study_view(StudyRole.RESEARCHER)
@require_GET
def detail(request: HttpRequest, study: Study, corpus_slug: str) -> HttpResponse:
    corpus = selectors.corpus_of(study, corpus_slug)
    jobs = active_jobs(study.pk).filter(kind=IMPORT_CORPUS, arguments__corpus=corpus.pk)
    failed = study_jobs(study.pk).filter(
        kind=services.IMPORT_CORPUS, state=JobState.FAILED, arguments__corpus=corpus.pk
    )
    context: dict[str, object] = {
        "study": study,
        "corpus": corpus,
        "jobs": jobs,
        "failed": failed[:3],
        "unfinished": [] if jobs else corpus.store.unfinished(),
    }
    if corpus.store.exists:
        summary = selectors.summary_of(corpus)
        context |= {
            "summary": summary,
            "charts": corpus_charts(summary),
            "labels": corpus.store.labels(),
            "samples": corpus.samples.all(),
        }
    return render(request, "corpora/detail.html", context)


@study_view(StudyRole.RESEARCHER)
@require_POST
def delete(request: HttpRequest, study: Study, corpus_slug: str) -> HttpResponse:
    corpus = selectors.corpus_of(study, corpus_slug)
    try:
        services.delete_corpus(corpus=corpus, actor=user_of(request), now=timezone.now())
        messages.success(request, f"“{corpus.name}” is deleted.")
    except CorporaError as problem:
        messages.error(request, str(problem))
        return redirect("corpora:detail", slug=study.slug, corpus_slug=corpus.slug)
    return redirect("corpora:list", slug=study.slug)


@study_view(StudyRole.RESEARCHER)
@require_POST
def discard_unfinished(request: HttpRequest, study: Study, corpus_slug: str) -> HttpResponse:
    corpus = selectors.corpus_of(study, corpus_slug)
    try:
        corpus.store.discard_unfinished()
        messages.success(request, "What the stopped import had left is gone.")
    except CorpusError as problem:
        messages.error(request, str(problem))
    return redirect("corpora:detail", slug=study.slug, corpus_slug=corpus.slug)


@study_view(StudyRole.RESEARCHER)
@require_GET
def read(request: HttpRequest, study: Study, corpus_slug: str) -> HttpResponse:
    corpus = selectors.corpus_of(study, corpus_slug)
    communities = corpus.store.communities()
    if not communities:
        return redirect("corpora:detail", slug=study.slug, corpus_slug=corpus.slug)
    community = request.GET.get("community", "")
    community = community if community in communities else communities[0]
    page = thread_page(corpus.store, community, whole_number(request.GET.get("page"), default=1))
    context = {
        "study": study,
        "corpus": corpus,
        "communities": communities,
        "community": community,
        "page": page,
    }
    return render(request, "corpora/read.html", context)


@study_view(StudyRole.RESEARCHER)
@require_GET
def labels(request: HttpRequest, study: Study, corpus_slug: str, name: str) -> HttpResponse:
    corpus = selectors.corpus_of(study, corpus_slug)
    selectors.require_label_set(corpus, name)
    context = {
        "study": study,
        "corpus": corpus,
        "name": name,
        "counts": selectors.label_counts(corpus, name),
        "records": [record for record in corpus.store.labels() if record.label_set == name],
    }
    return render(request, "corpora/labels.html", context)


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def files(request: HttpRequest, study: Study) -> HttpResponse:
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            saved = study_files.save_upload(study, form.cleaned_data["file"])
            messages.success(request, f"“{saved.name}” is uploaded.")
            return redirect(form.cleaned_data["next"] or request.path)
        except CorporaError as problem:
            form.add_error("file", str(problem))
    context = {
        "study": study,
        "files": study_files.study_files(study),
        "folder": study_files.files_folder(study),
        "limit": settings.UPLOAD_MAX_BYTES,
        "form": form,
    }
    return render(request, "corpora/files.html", context)


@study_view(StudyRole.RESEARCHER)
@require_POST
def delete_file(request: HttpRequest, study: Study, name: str) -> HttpResponse:
    try:
        study_files.delete_file(study, name)
        messages.success(request, f"“{name}” is deleted.")
    except CorporaError as problem:
        messages.error(request, str(problem))
    return redirect("corpora:files", slug=study.slug)


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def start_import(request: HttpRequest, study: Study, corpus_slug: str, kind: str) -> HttpResponse:
    """For tables the file is chosen first (`?file=`), so that its columns can be offered."""
    if kind not in IMPORT_FORMS:
        raise Http404(f"Imports are of the kind {', '.join(IMPORT_FORMS)}.")
    corpus = selectors.corpus_of(study, corpus_slug)
    here = study_files.study_files(study)
    chosen = request.GET.get("file", "")
    context: dict[str, object] = {
        "study": study,
        "corpus": corpus,
        "kind": kind,
        "readers": readers().values(),
        "reader": readers().get(kind),
        "files": here,
        "chosen": chosen,
    }
    try:
        table = _table(study, chosen) if chosen and kind in TABLES else None
    except (CorporaError, CorpusError) as problem:
        messages.error(request, str(problem))
        return redirect("corpora:files", slug=study.slug)
    form = IMPORT_FORMS[kind](request.POST or None, files=[file.name for file in here], table=table)
    context["form"] = form
    if request.method == "POST" and form.is_valid():
        asked = form.import_request()
        if not isinstance(asked, PairsImport) or request.POST.get("seen") == seen_mark(asked):
            job = services.enqueue_import(
                corpus=corpus, request=asked, actor=user_of(request), now=timezone.now()
            )
            return redirect("jobs:detail", slug=study.slug, job_id=job.pk)
        try:
            context["preview"] = preview_of(study, asked)
        except (CorporaError, CorpusError) as problem:
            context["problem"] = str(problem)
    return render(request, "corpora/start_import.html", context)


def _table(study: Study, name: str) -> ChosenTable:
    path = study_files.file_path(study, name)
    return ChosenTable(path, table_head(path, ReadLimits()))


@study_view(StudyRole.RESEARCHER)
@require_POST
def undo_import(request: HttpRequest, study: Study, corpus_slug: str, import_id: str) -> HttpResponse:
    corpus = selectors.corpus_of(study, corpus_slug)
    try:
        files = services.undo_import(
            corpus=corpus, import_id=import_id, actor=user_of(request), now=timezone.now()
        )
        messages.success(request, f"The import of {files} is undone.")
    except (CorporaError, CorpusError) as problem:
        messages.error(request, str(problem))
    return redirect("corpora:detail", slug=study.slug, corpus_slug=corpus.slug)
