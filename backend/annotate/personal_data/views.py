"""The page where somebody looks at every place, and replaces or keeps it."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from backend.annotate.personal_data.models import FindingState
from backend.annotate.personal_data.requests import SCAN_PERSONAL_DATA, enqueue_scan
from backend.annotate.personal_data.selectors import counts_by_kind, find_places, place_of
from backend.annotate.personal_data.services import (
    PersonalDataError,
    keep_findings,
    reopen_findings,
    replace_findings,
    restore_texts,
)
from backend.core.accounts.access import user_of
from backend.core.jobs.models import JobState
from backend.core.jobs.selectors import active_jobs, study_jobs
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.design.samples.selectors import sample_of

PLACES_A_PAGE = 50
DECISIONS = {"replace": replace_findings, "keep": keep_findings, "reopen": reopen_findings}
DONE = {"replace": "replaced", "keep": "kept", "reopen": "open again"}


@study_view(StudyRole.RESEARCHER)
@require_GET
def page(request: HttpRequest, study: Study, sample_id: int) -> HttpResponse:
    sample = sample_of(study, sample_id)
    state, kind = request.GET.get("state", FindingState.OPEN.value), request.GET.get("kind", "")
    counts = counts_by_kind(sample)
    found = Paginator(find_places(sample, state=state, kind=kind), PLACES_A_PAGE)
    shown = found.get_page(request.GET.get("page"))
    scans = study_jobs(study.pk).filter(kind=SCAN_PERSONAL_DATA, arguments__sample=sample.pk)
    context = {
        "study": study,
        "sample": sample,
        "page": shown,
        "places": [place_of(finding) for finding in shown],
        "counts": counts,
        "state": state,
        "kind": kind,
        "states": FindingState.choices,
        "totals": {each: sum(row[each] for row in counts.values()) for each in FindingState.values},
        "job": active_jobs(study.pk).filter(kind=SCAN_PERSONAL_DATA, arguments__sample=sample.pk).first(),
        "last_scan": scans.filter(state=JobState.DONE).order_by("-finished_at").first(),
    }
    return render(request, "personal_data/page.html", context)


@study_view(StudyRole.RESEARCHER)
@require_POST
def scan(request: HttpRequest, study: Study, sample_id: int) -> HttpResponse:
    sample = sample_of(study, sample_id)
    names = request.POST.get("names", "").replace(",", "\n").splitlines()
    job = enqueue_scan(sample=sample, names=names, actor=user_of(request), now=timezone.now())
    return redirect("jobs:detail", slug=study.slug, job_id=job.pk)


@study_view(StudyRole.RESEARCHER)
@require_POST
def decide(request: HttpRequest, study: Study, sample_id: int) -> HttpResponse:
    sample = sample_of(study, sample_id)
    decision = request.POST.get("decision", "")
    chosen = find_places(sample).filter(
        pk__in=[each for each in request.POST.getlist("finding") if each.isdigit()]
    )
    if decision in DECISIONS:
        try:
            n = DECISIONS[decision](study=study, findings=chosen, actor=user_of(request), now=timezone.now())
            messages.success(request, f"{n:,} place{' is' if n == 1 else 's are'} {DONE[decision]}.")
        except PersonalDataError as problem:
            messages.error(request, str(problem))
    return redirect(f"{request.path.removesuffix('/decide')}?{request.POST.get('shown', '')}")


@study_view(StudyRole.RESEARCHER)
@require_POST
def restore(request: HttpRequest, study: Study, sample_id: int) -> HttpResponse:
    sample = sample_of(study, sample_id)
    try:
        n = restore_texts(sample=sample, actor=user_of(request), now=timezone.now())
        messages.success(request, f"{n:,} item{' has its' if n == 1 else 's have their'} own words again.")
    except PersonalDataError as problem:
        messages.error(request, str(problem))
    return redirect("personal_data:page", slug=study.slug, sample_id=sample.pk)
