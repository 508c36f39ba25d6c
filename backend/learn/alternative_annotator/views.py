"""Pages that say where a model could stand in for an annotator, and where not."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from backend.core.accounts.access import user_of
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.core.web.addresses import whole_number
from backend.decide.releases.errors import ReleaseError
from backend.decide.releases.selectors import release_numbered
from backend.design.codebooks.selectors import edition_numbered
from backend.learn.alternative_annotator.errors import AlternativeError
from backend.learn.alternative_annotator.exports import code_names, export_tests
from backend.learn.alternative_annotator.forms import ColumnsForm, RunForm
from backend.learn.alternative_annotator.models import AlternativeTest
from backend.learn.alternative_annotator.selectors import (
    Alternative,
    basis_of,
    columns_numbered,
    newest_tests,
    releases_for,
    tests_of_alternative,
)
from backend.learn.alternative_annotator.services import import_columns, put_to_the_test
from backend.learn.alternative_annotator.words import code_rows, missing_words, verdicts
from backend.learn.models.boards import CONTENT_TYPES
from backend.learn.models.models import Adapter
from backend.learn.models.selectors import adapter_numbered, adapters_of


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def overview(request: HttpRequest, study: Study) -> HttpResponse:
    """All of the study, and the form for labels from outside."""
    editions = list(study.editions.order_by("-number"))
    form = ColumnsForm(request.POST or None, request.FILES or None, editions=editions)
    if request.method == "POST" and form.is_valid():
        try:
            columns = import_columns(
                study=study,
                edition=edition_numbered(study, form.cleaned_data["edition"]),
                name=form.cleaned_data["name"],
                content=form.cleaned_data["file"].read(),
                has_learned=form.cleaned_data["has_learned"],
                actor=user_of(request),
                now=timezone.now(),
            )
            messages.success(request, f"The labels of “{columns.name}” are uploaded. Now run the test.")
            return redirect("alternative_annotator:imported", slug=study.slug, number=columns.number)
        except AlternativeError as problem:
            form.add_error("file", str(problem))
    names, tests = code_names(study), newest_tests(study)
    alternatives: list[Alternative] = [*adapters_of(study)]
    alternatives += study.label_columns.select_related("study")
    tested = {(test.adapter_id, test.columns_id) for test in tests}
    context = {
        "study": study,
        "rows": [(test, address_of(test.alternative), verdicts(test.read(), names)) for test in tests],
        "untested": [(each, address_of(each)) for each in alternatives if _key(each) not in tested],
        "form": form if editions else None,
    }
    return render(request, "alternative_annotator/overview.html", context)


def _key(alternative: Alternative) -> tuple[int | None, int | None]:
    is_adapter = isinstance(alternative, Adapter)
    return (alternative.pk, None) if is_adapter else (None, alternative.pk)


def address_of(alternative: Alternative) -> str:
    name = "adapter" if isinstance(alternative, Adapter) else "imported"
    return reverse(f"alternative_annotator:{name}", args=[alternative.study.slug, alternative.number])


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def adapter(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    return _page(request, study, adapter_numbered(study, number))


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def imported_predictions(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    return _page(request, study, columns_numbered(study, number))


def _page(request: HttpRequest, study: Study, alternative: Alternative) -> HttpResponse:
    """Its newest test, or the one that is asked for; without any, what a test would rest on."""
    releases = releases_for(alternative)
    form = RunForm(request.POST or None, releases=releases)
    if request.method == "POST" and form.is_valid():
        try:
            put_to_the_test(
                alternative=alternative,
                release=release_numbered(study, form.cleaned_data["release"]),
                epsilon=form.cleaned_data["epsilon"],
                actor=user_of(request),
                now=timezone.now(),
            )
            return redirect(address_of(alternative))
        except (AlternativeError, ReleaseError) as problem:
            form.add_error(None, str(problem))
    tests = list(tests_of_alternative(alternative))
    shown = _choose_test(request, tests)
    context: dict[str, object] = {
        "study": study,
        "alternative": alternative,
        "is_adapter": isinstance(alternative, Adapter),
        "form": form,
        "tests": tests,
        "shown": shown,
        "missing": "",
    }
    if shown is not None:
        found, names = shown.read(), code_names(study)
        context |= {"found": found, "rows": code_rows(found, names), "verdicts": verdicts(found, names)}
    else:
        context |= _prospect(alternative)
    return render(request, "alternative_annotator/test.html", context)


def _choose_test(request: HttpRequest, tests: list[AlternativeTest]) -> AlternativeTest | None:
    asked = whole_number(request.GET.get("test"), default=0)
    return next((test for test in tests if test.number == asked), tests[0] if tests else None)


def _prospect(alternative: Alternative) -> dict[str, object]:
    """On the release that comes first."""
    releases = releases_for(alternative)
    try:
        overlap = basis_of(alternative, releases[0]).items.overlap if releases else None
    except ReleaseError as problem:
        return {"missing": str(problem)}
    return {"overlap": overlap, "missing": missing_words(overlap) if overlap else ""}


@study_view(StudyRole.RESEARCHER)
@require_GET
def export(request: HttpRequest, study: Study, form: str) -> HttpResponse:
    """The newest test of each, for a paper."""
    tests = newest_tests(study)
    if form not in CONTENT_TYPES or not tests:
        raise Http404("The table can be had as csv or tex, once a test was run.")
    return HttpResponse(
        export_tests(tests, form, code_names(study)),
        content_type=CONTENT_TYPES[form],
        headers={"Content-Disposition": f'attachment; filename="{study.slug}-annotator-test.{form}"'},
    )
