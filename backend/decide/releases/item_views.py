"""Pages of a release's items: which there are, and what is behind the labels of one."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotation.release.rows import ReleaseRow, SplitPart
from backend.core.accounts.access import user_of
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.decide.releases.explaining import explain_refusals
from backend.decide.releases.selectors import codebook_in, release_numbered, row_of, rows_of
from backend.decide.releases.tracing import trace_of
from codebook.schema import Code, Codebook

ITEMS_A_PAGE = 50


@study_view(StudyRole.RESEARCHER)
@require_GET
@explain_refusals
def items(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    release = release_numbered(study, number)
    part, code = request.GET.get("part", ""), request.GET.get("code", "")
    source = request.GET.get("source", "")
    rows = [row for row in rows_of(release, user_of(request)) if not part or row.split == part]
    codebook = codebook_in(release)
    found = [(row, themes) for row in rows if (themes := _themes(row, codebook)) or not code]
    if code:
        found = [(row, themes) for row, themes in found if any(theme.id == code for theme in themes)]
    if source:
        found = [(row, themes) for row, themes in found if _has_source(row, source)]
    context = {
        "study": study,
        "release": release,
        "page": Paginator(found, ITEMS_A_PAGE).get_page(request.GET.get("page")),
        "parts": [part.value for part in SplitPart],
        "part": part,
        "codes": [entry for _, entry in codebook.coded_questions()],
        "code": code,
        "sources": list(release.counts["by_source"]),
        "source": source,
    }
    return render(request, "releases/items.html", context)


@study_view(StudyRole.RESEARCHER)
@require_GET
@explain_refusals
def item_trace(request: HttpRequest, study: Study, number: int, item_id: str) -> HttpResponse:
    release = release_numbered(study, number)
    row = row_of(release, item_id)
    context = {"study": study, "release": release, "row": row, "trace": trace_of(release, row)}
    return render(request, "releases/item.html", context)


def _themes(row: ReleaseRow, codebook: Codebook) -> list[Code]:
    """The codes that were found in the item."""
    values = {label.code: label.value for label in row.labels}
    return [
        code
        for question, code in codebook.coded_questions()
        if values.get(code.id) in question.present_values
    ]


def _has_source(row: ReleaseRow, source: str) -> bool:
    return any(label.source == source for label in row.labels)
