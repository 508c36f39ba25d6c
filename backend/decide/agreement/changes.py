"""Buttons on the pages of agreement: measure now, watch it, and set the rule."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from backend.annotate.batches.selectors import batch_of
from backend.core.accounts.access import user_of
from backend.core.jobs.models import JobState
from backend.core.jobs.selectors import study_jobs
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.decide.agreement.errors import AgreementError
from backend.decide.agreement.forms import RuleForm
from backend.decide.agreement.queue import MEASURE_AGREEMENT
from backend.decide.agreement.services import change_rule, request_measurement


@study_view(StudyRole.RESEARCHER)
@require_POST
def measure(request: HttpRequest, study: Study, batch_id: int) -> HttpResponse:
    batch = batch_of(study, batch_id)
    try:
        request_measurement(batch=batch, actor=user_of(request), now=timezone.now())
    except AgreementError as problem:
        messages.error(request, str(problem))
    return redirect("agreement:batch", slug=study.slug, batch_id=batch.pk)


@study_view(StudyRole.RESEARCHER)
@require_GET
def measuring_state(request: HttpRequest, study: Study, batch_id: int, job_id: int) -> HttpResponse:
    """The live part of a page; once the report is there, the browser is sent to it."""
    batch = batch_of(study, batch_id)
    job = study_jobs(study.pk).filter(pk=job_id, kind=MEASURE_AGREEMENT).first()
    if job is None:
        raise Http404("This study has no such measurement.")
    answer = render(request, "agreement/_measuring.html", {"study": study, "batch": batch, "job": job})
    if job.state == JobState.DONE:
        answer["HX-Redirect"] = reverse("agreement:batch", args=[study.slug, batch.pk])
    return answer


@study_view(StudyRole.RESEARCHER)
@require_POST
def rule(request: HttpRequest, study: Study) -> HttpResponse:
    form = RuleForm(request.POST)
    if form.is_valid():
        asked = change_rule(study=study, rule=form.rule(), actor=user_of(request), now=timezone.now())
        messages.success(request, f"A theme is trusted if {asked}.")
    else:
        messages.error(request, "The rule was not changed: it needs a measure and a number from -1 to 1.")
    return redirect("agreement:list", slug=study.slug)
