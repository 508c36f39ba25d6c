"""Pages of a study's codebook: the guideline, its history, what changed, and adding an edition."""

from __future__ import annotations

from itertools import zip_longest

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.label_studio.config import label_config
from backend.core.accounts.access import user_of
from backend.core.studies.access import role_in, study_view
from backend.core.studies.models import Study, StudyRole
from backend.core.web.addresses import whole_number
from backend.design.codebooks import services
from backend.design.codebooks.errors import EditionError
from backend.design.codebooks.forms import EditionForm, ShippedForm
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of, edition_numbered, latest_edition
from codebook.diff import Change, compare_codebooks
from codebook.guideline import guideline as guideline_of
from codebook.guideline import guideline_markdown
from codebook.loader import parse_codebook
from codebook.problems import CodebookError, Problem
from codebook.questions import model_questions
from codebook.shipped import load_shipped, shipped_codebooks, shipped_path


@study_view(StudyRole.ANNOTATOR)
@require_GET
def guideline(request: HttpRequest, study: Study, number: int | None = None) -> HttpResponse:
    """The guideline as annotators read it: the latest edition unless the address names one."""
    edition = latest_edition(study) if number is None else edition_numbered(study, number)
    is_researcher = role_in(user_of(request), study) == StudyRole.RESEARCHER
    context: dict[str, object] = {"study": study, "edition": edition, "is_researcher": is_researcher}
    if edition is None:
        context["shipped"] = [load_shipped(name) for name in shipped_codebooks()]
        return render(request, "codebooks/start.html", context)
    latest = latest_edition(study)
    context |= {"guideline": guideline_of(codebook_of(edition)), "is_latest": latest == edition}
    return render(request, "codebooks/guideline.html", context)


@study_view(StudyRole.ANNOTATOR)
@require_GET
def history(request: HttpRequest, study: Study) -> HttpResponse:
    editions = list(study.editions.select_related("created_by"))
    rows = [
        (edition, previous, len(_changes(previous, edition)) if previous else 0)
        for edition, previous in zip_longest(editions, editions[1:])
    ]
    is_researcher = role_in(user_of(request), study) == StudyRole.RESEARCHER
    context = {"study": study, "rows": rows, "editions": editions, "is_researcher": is_researcher}
    return render(request, "codebooks/history.html", context)


@study_view(StudyRole.ANNOTATOR)
@require_GET
def compare(request: HttpRequest, study: Study) -> HttpResponse:
    """Two editions side by side; `old` and `new` are edition numbers, by default the last two."""
    editions = list(study.editions.all())
    if len(editions) < 2:
        return redirect("codebooks:history", slug=study.slug)
    old = edition_numbered(study, whole_number(request.GET.get("old"), default=editions[1].number))
    new = edition_numbered(study, whole_number(request.GET.get("new"), default=editions[0].number))
    changes = _changes(old, new)
    context = {
        "study": study,
        "editions": editions,
        "old": old,
        "new": new,
        "changes": changes,
        "label_changes": sum(change.affects_labels for change in changes),
    }
    return render(request, "codebooks/compare.html", context)


def _changes(old: Edition, new: Edition) -> list[Change]:
    return compare_codebooks(codebook_of(old), codebook_of(new))


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def add_edition(request: HttpRequest, study: Study) -> HttpResponse:
    latest = latest_edition(study)
    problems: tuple[Problem, ...] = ()
    if request.method == "POST":
        form = EditionForm(request.POST, request.FILES)
        if form.is_valid():
            try:
                edition = services.add_edition(
                    study=study,
                    source=form.cleaned_data["source"],
                    file_name=form.cleaned_data["file_name"],
                    note=form.cleaned_data["note"],
                    actor=user_of(request),
                    now=timezone.now(),
                )
                messages.success(request, f"Edition {edition.number} is in force.")
                return redirect("codebooks:guideline", slug=study.slug)
            except CodebookError as found:
                problems = found.problems
                form = EditionForm(initial=form.cleaned_data)
            except EditionError as problem:
                form.add_error(None, str(problem))
    else:
        form = EditionForm(initial={"source": _starting_source(request, latest)})
    context = {"study": study, "form": form, "latest": latest, "problems": problems}
    return render(request, "codebooks/add_edition.html", context)


def _starting_source(request: HttpRequest, latest: Edition | None) -> str:
    if latest:
        return latest.source
    shipped = request.GET.get("from", "")
    return shipped_path(shipped).read_text() if shipped in shipped_codebooks() else ""


@study_view(StudyRole.RESEARCHER)
@require_POST
def check_source(request: HttpRequest, study: Study) -> HttpResponse:
    """The problems and the changes of what is being typed, as a fragment for the editor."""
    context: dict[str, object] = {"study": study}
    latest = latest_edition(study)
    try:
        parsed = parse_codebook(request.POST.get("source", ""), source="codebook.yaml")
        context["codebook"] = parsed
        context["changes"] = compare_codebooks(codebook_of(latest), parsed) if latest else None
    except CodebookError as found:
        context["problems"] = found.problems
    return render(request, "codebooks/check.html", context)


@study_view(StudyRole.RESEARCHER)
@require_POST
def start_from_shipped(request: HttpRequest, study: Study) -> HttpResponse:
    form = ShippedForm(request.POST)
    if form.is_valid():
        name = form.cleaned_data["name"]
        try:
            services.add_edition(
                study=study,
                source=shipped_path(name).read_text(),
                file_name=f"{name}.yaml",
                note="Started from the codebook that comes with Attune.",
                actor=user_of(request),
                now=timezone.now(),
            )
        except EditionError as problem:
            messages.error(request, str(problem))
    return redirect("codebooks:guideline", slug=study.slug)


@study_view(StudyRole.RESEARCHER)
@require_GET
def machine_view(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    """What follows from the edition alone: the Label Studio interface and the questions for a model."""
    edition = edition_numbered(study, number)
    parsed = codebook_of(edition)
    context = {
        "study": study,
        "edition": edition,
        "questions": model_questions(parsed),
        "config": label_config(parsed),
    }
    return render(request, "codebooks/machine_view.html", context)


@study_view(StudyRole.ANNOTATOR)
@require_GET
def download(request: HttpRequest, study: Study, number: int, form: str) -> HttpResponse:
    edition = edition_numbered(study, number)
    is_researcher = role_in(user_of(request), study) == StudyRole.RESEARCHER
    if form == "xml" and not is_researcher:
        raise PermissionDenied("Only researchers of this study can do that.")
    contents = {
        "yaml": (edition.source, "application/yaml"),
        "json": (edition.canonical, "application/json"),
        "md": (guideline_markdown(codebook_of(edition)), "text/markdown; charset=utf-8"),
        "xml": (label_config(codebook_of(edition)), "application/xml"),
    }
    if form not in contents:
        raise Http404("An edition can be had as yaml, json, md or xml.")
    body, content_type = contents[form]
    name = f"{edition.name}-edition-{edition.number}.{form}"
    return HttpResponse(
        body, content_type=content_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
