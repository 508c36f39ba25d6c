"""The page on which researchers see what is suggested, and what suggestions do to people."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from backend.annotate.batches.selectors import batch_of
from backend.core.accounts.access import user_of
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.learn.models.selectors import adapter_in_service
from backend.learn.prelabels.charts import shift_charts
from backend.learn.prelabels.comparing import compare_or_enqueue
from backend.learn.prelabels.errors import PrelabelError
from backend.learn.prelabels.forms import PrelabelForm
from backend.learn.prelabels.scope import left_out_codes, suggests_nothing
from backend.learn.prelabels.selectors import choice_of
from backend.learn.prelabels.services import change_choice, push_batch
from backend.learn.prelabels.status import batch_statuses
from backend.learn.prelabels.words import rows_of


@study_view(StudyRole.RESEARCHER)
@require_GET
def page(request: HttpRequest, study: Study) -> HttpResponse:
    return render(request, "prelabels/page.html", _context(study, PrelabelForm.of(choice_of(study))))


@study_view(StudyRole.RESEARCHER)
@require_POST
def settings(request: HttpRequest, study: Study) -> HttpResponse:
    form = PrelabelForm(request.POST)
    if not form.is_valid():
        return render(request, "prelabels/page.html", _context(study, form), status=400)
    change_choice(study=study, choice=form.choice(), actor=user_of(request), now=timezone.now())
    messages.success(request, "Saved. Open batches follow within a minute.")
    return redirect("prelabels:page", slug=study.slug)


@study_view(StudyRole.RESEARCHER)
@require_POST
def push(request: HttpRequest, study: Study, batch_id: int) -> HttpResponse:
    batch = batch_of(study, batch_id)
    try:
        job = push_batch(batch=batch, actor=user_of(request), now=timezone.now())
    except PrelabelError as problem:
        messages.error(request, str(problem))
        return redirect("prelabels:page", slug=study.slug)
    return redirect("jobs:detail", slug=study.slug, job_id=job.pk)


def _context(study: Study, form: PrelabelForm) -> dict[str, object]:
    comparison, is_comparing = compare_or_enqueue(study, now=timezone.now())
    has_answers = comparison is not None and bool(
        comparison.report.blind.answers + comparison.report.suggested.answers
    )
    adapter = adapter_in_service(study)
    return {
        "study": study,
        "choice": choice_of(study),
        "adapter": adapter,
        "left_out": left_out_codes(adapter) if adapter else (),
        "suggests_nothing": adapter is not None and suggests_nothing(adapter),
        "statuses": batch_statuses(study),
        "form": form,
        "comparison": comparison if has_answers else None,
        "is_comparing": is_comparing,
        "rows": rows_of(comparison) if comparison and has_answers else [],
        "charts": shift_charts(comparison) if comparison and has_answers else None,
    }
