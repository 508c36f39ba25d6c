"""Pages that show annotators how their practice compares with gold, and researchers how all of them do."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from backend.annotate.batches.models import Assignment, Batch, BatchKind, BatchState
from backend.annotate.practice.feedback import news_mark, practice_report
from backend.annotate.practice.results import batch_results
from backend.core.accounts.access import user_of
from backend.core.studies.access import role_in, study_view
from backend.core.studies.models import Study, StudyRole


@study_view(StudyRole.ANNOTATOR)
@require_GET
def feedback(request: HttpRequest, study: Study, assignment_id: int) -> HttpResponse:
    assignment = _assignment(request, study, assignment_id)
    return render(request, "practice/feedback.html", _context(request, study, assignment))


@study_view(StudyRole.ANNOTATOR)
@require_GET
def news(request: HttpRequest, study: Study, assignment_id: int) -> HttpResponse:
    """The live part of the page, or nothing (204) while the page still says what is so."""
    assignment = _assignment(request, study, assignment_id)
    if request.GET.get("mark") == news_mark(assignment):
        return HttpResponse(status=204)
    return render(request, "practice/_report.html", _context(request, study, assignment))


@study_view(StudyRole.RESEARCHER)
@require_GET
def results(request: HttpRequest, study: Study, batch_id: int) -> HttpResponse:
    batch = (
        Batch.objects.filter(study=study, kind=BatchKind.PRACTICE, pk=batch_id)
        .select_related("edition")
        .first()
    )
    if batch is None:
        raise Http404("This study has no such practice batch.")
    context = {"study": study, "batch": batch, "results": batch_results(batch)}
    return render(request, "practice/results.html", context)


def _assignment(request: HttpRequest, study: Study, assignment_id: int) -> Assignment:
    """An annotator's own; to anybody else's they get the same answer as to one that does not exist."""
    found = Assignment.objects.filter(pk=assignment_id, batch__study=study, batch__kind=BatchKind.PRACTICE)
    user = user_of(request)
    if role_in(user, study) != StudyRole.RESEARCHER:
        found = found.filter(annotator=user)
    assignment = found.select_related("batch__edition", "annotator").first()
    if assignment is None:
        raise Http404("This study has no such practice of yours.")
    return assignment


def _context(request: HttpRequest, study: Study, assignment: Assignment) -> dict[str, object]:
    is_own = assignment.annotator_id == user_of(request).pk
    is_open = assignment.batch.state == BatchState.OPEN and assignment.withdrawn_at is None
    # The mark comes first: what arrives in between is then news, and not lost
    return {
        "mark": news_mark(assignment),
        "study": study,
        "assignment": assignment,
        "batch": assignment.batch,
        "report": practice_report(assignment, user_of(request)),
        "is_own": is_own,
        "who": "You" if is_own else str(assignment.annotator),
        "finished_heading": "You have finished practice" if is_own else "Practice is finished",
        "may_work": is_own and is_open,
        "is_live": assignment.batch.state != BatchState.CLOSED,
    }
