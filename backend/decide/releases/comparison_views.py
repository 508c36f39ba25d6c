"""A page that compares two releases of a study label by label."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotation.release.compare import ChangedLabel, compare_releases
from backend.core.accounts.access import user_of
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.decide.releases.explaining import explain_refusals
from backend.decide.releases.models import Release
from backend.decide.releases.selectors import codebook_in, release_numbered, rows_of
from codebook.schema import Code, Question

CHANGES_A_PAGE = 50


@study_view(StudyRole.RESEARCHER)
@require_GET
@explain_refusals
def compare(request: HttpRequest, study: Study) -> HttpResponse:
    """The earlier one first, whichever way round they were chosen."""
    old, new = sorted(
        (_read_release(request, study, "old"), _read_release(request, study, "new")),
        key=lambda release: release.number,
    )
    found = compare_releases(rows_of(old, user_of(request)), rows_of(new, user_of(request)))
    named = {code.id: (question, code) for question, code in codebook_in(new).coded_questions()}
    page = Paginator(found.changed, CHANGES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "old": old,
        "new": new,
        "found": found,
        "by_code": [(named[code][1], changed, n) for code, changed, n in found.by_code],
        "page": page,
        "changes": [_show_change(change, *named[change.new.code]) for change in page],
    }
    return render(request, "releases/compare.html", context)


def _read_release(request: HttpRequest, study: Study, name: str) -> Release:
    number = request.GET.get(name, "")
    if not (number.isascii() and number.isdigit()):
        raise Http404("Say which two releases to compare.")
    return release_numbered(study, int(number))


def _show_change(change: ChangedLabel, question: Question, code: Code) -> tuple[ChangedLabel, Code, str, str]:
    """With both answers in the words of the newer codebook."""
    before, after = (
        "–" if label.value is None else question.label_of(label.value) for label in (change.old, change.new)
    )
    return change, code, before, after
