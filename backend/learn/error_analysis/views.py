"""Pages on which researchers sort a model's errors."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST

from analysis.error_analysis import ErrorKind
from analysis.error_tables import csv_errors
from analysis.error_tags import ErrorTag
from annotation.release.rows import SplitPart
from backend.core.accounts.access import user_of
from backend.core.accounts.models import User
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.decide.releases.errors import ReleaseError
from backend.learn.error_analysis import services
from backend.learn.error_analysis.errors import ErrorAnalysisError
from backend.learn.error_analysis.models import ErrorMark
from backend.learn.error_analysis.page import (
    KIND_WORDS,
    UNTAGGED,
    Filters,
    chosen_errors,
    count_rows,
    error_rows,
)
from backend.learn.error_analysis.selectors import Errors, errors_of, history_of, tags_of
from backend.learn.models.errors import AdapterError
from backend.learn.models.models import Adapter
from backend.learn.models.selectors import adapter_numbered

ERRORS_A_PAGE, STEPS_SHOWN = 20, 20
REFUSALS = (AdapterError, ErrorAnalysisError, ReleaseError)


@study_view(StudyRole.RESEARCHER)
@require_GET
def errors(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    """Of the validation part, unless the test part is asked for by name."""
    adapter, part = adapter_numbered(study, number), _part(request)
    context = {"study": study, "adapter": adapter, "part": part, "is_test": part is SplitPart.TEST}
    try:
        found = errors_of(adapter, part, user_of(request))
    except REFUSALS as problem:
        return render(request, "error_analysis/nothing.html", context | {"problem": problem})
    tags, filters = tags_of(adapter), Filters.of(request.GET)
    page = Paginator(chosen_errors(found, tags, filters), ERRORS_A_PAGE).get_page(request.GET.get("page"))
    context |= {
        "page": page,
        "rows": list(error_rows(found, page, tags)),
        "filters": filters,
        "address": urlencode(filters.address() | {"part": part.value}),
        "kinds": [(kind.value, words) for kind, words in KIND_WORDS.items()],
        "codes": [code for _, code in found.codebook.coded_questions()],
        "untagged": UNTAGGED,
        "history": _history(found, user_of(request)),
    }
    return render(request, "error_analysis/errors.html", context | _counts(found))


def _history(found: Errors, viewer: User) -> list[tuple[ErrorMark, str]]:
    """The latest steps, each with the name of its theme."""
    names = {code.id: code.name for _, code in found.codebook.coded_questions()}
    return [
        (mark, names.get(mark.code, mark.code)) for mark in history_of(found.adapter, viewer)[:STEPS_SHOWN]
    ]


def _counts(found: Errors) -> dict[str, object]:
    rows = count_rows(found, tags_of(found.adapter))
    total = {kind: sum(row.count.n for row in rows if row.count.kind is kind) for kind in ErrorKind}
    return {
        "counts": rows,
        "all_tags": list(ErrorTag),
        "n_false_positives": total[ErrorKind.FALSE_POSITIVE],
        "n_missed": total[ErrorKind.FALSE_NEGATIVE],
        "n_untagged": sum(row.count.untagged for row in rows),
        "n_items": max((code.n_items for code in found.codes), default=0),
    }


@study_view(StudyRole.RESEARCHER)
@require_POST
def mark(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    """Puts a tag on an error or takes it off; within the page only that error is drawn anew."""
    adapter, part = adapter_numbered(study, number), _part(request)
    item_id, code = request.POST.get("item", ""), request.POST.get("code", "")
    is_within = request.headers.get("HX-Request") == "true"
    said = problem = ""
    try:
        found = errors_of(adapter, part, user_of(request))
    except REFUSALS as refusal:
        # The whole page then says why there is nothing to look at any more
        return (
            HttpResponse(headers={"HX-Refresh": "true"})
            if is_within
            else _back(request, adapter, "", str(refusal))
        )
    try:
        said = _step(request, found, item_id, code)
    except REFUSALS as refusal:
        problem = str(refusal)
    if not is_within:
        return _back(request, adapter, said, problem)
    tags, error = tags_of(adapter), found.error_on(item_id, code)
    if error is None:
        raise Http404(problem)
    (row,) = error_rows(found, [error], tags)
    context = {"study": study, "adapter": adapter, "part": part, "row": row, "said": said, "problem": problem}
    return render(request, "error_analysis/_marked.html", context | _counts(found))


def _step(request: HttpRequest, found: Errors, item_id: str, code: str) -> str:
    """What is to be told about it, if anything."""
    actor, now = user_of(request), timezone.now()
    if put := request.POST.get("put"):
        asked = services.put_tag(
            errors=found, item_id=item_id, code=code, tag=_tag(put), actor=actor, now=now
        )
        return asked.in_words if asked else ""
    tag = _tag(request.POST.get("take", ""))
    is_withdrawn = services.take_tag(
        adapter=found.adapter, item_id=item_id, code=code, tag=tag, actor=actor, now=now
    )
    return "The item has left the queue of adjudication." if is_withdrawn else ""


def _back(request: HttpRequest, adapter: Adapter, said: str, problem: str) -> HttpResponse:
    if said:
        messages.success(request, said)
    if problem:
        messages.error(request, problem)
    address = reverse("error_analysis:errors", args=[adapter.study.slug, adapter.number])
    return redirect(f"{address}?{request.GET.urlencode()}")


@study_view(StudyRole.RESEARCHER)
@require_POST
def undo(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    adapter, said, problem = adapter_numbered(study, number), "", ""
    try:
        found = errors_of(adapter, _part(request), user_of(request))
        last = services.undo_last(errors=found, actor=user_of(request), now=timezone.now())
        said = f"Undone: “{last.error_tag.in_words}” is {'off' if last.is_put else 'on'} again."
    except REFUSALS as refusal:
        problem = str(refusal)
    return _back(request, adapter, said, problem)


@study_view(StudyRole.RESEARCHER)
@require_GET
def export(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    """Without the words, unless these are asked for."""
    adapter, part = adapter_numbered(study, number), _part(request)
    try:
        found = errors_of(adapter, part, user_of(request))
    except REFUSALS as problem:
        raise Http404(str(problem)) from problem
    table = csv_errors(found.codes, tags_of(adapter), with_words=bool(request.GET.get("words")))
    name = f"{study.slug}-model-{number}-{part.value}-errors.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(table, content_type="text/csv; charset=utf-8", headers=headers)


def _part(request: HttpRequest) -> SplitPart:
    return SplitPart.TEST if request.GET.get("part") == SplitPart.TEST else SplitPart.VALIDATION


def _tag(given: str) -> ErrorTag:
    try:
        return ErrorTag(given)
    except ValueError as problem:
        raise Http404("There is no such tag.") from problem
