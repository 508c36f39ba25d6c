"""Pages on which researchers say when their model learns anew, watch it and see what came of it."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from backend.core.accounts.access import user_of
from backend.core.jobs.errors import JobError
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.learn.retraining import page, services
from backend.learn.retraining.claiming import start_by_hand
from backend.learn.retraining.errors import RetrainingError
from backend.learn.retraining.forms import KINDS, ScheduleForm, initial_of
from backend.learn.retraining.models import RetrainingSchedule, ScheduleKind
from backend.learn.retraining.selectors import (
    coming_occasion,
    new_final_judgments,
    run_numbered,
    run_under_way,
    runs_of,
    schedule_of,
)
from backend.learn.retraining.services import stop_run, take_up_again
from backend.learn.retraining.words import in_a_sentence, schedule_words

RUNS_A_PAGE = 25


@study_view(StudyRole.RESEARCHER)
@require_GET
def overview(request: HttpRequest, study: Study) -> HttpResponse:
    return _overview(request, study, ScheduleForm(initial=initial_of(schedule_of(study))))


@study_view(StudyRole.RESEARCHER)
@require_POST
def schedule(request: HttpRequest, study: Study) -> HttpResponse:
    form = ScheduleForm(request.POST)
    if not form.is_valid():
        return _overview(request, study, form)
    try:
        changed = services.change_schedule(
            study=study, plan=form.plan(schedule_of(study)), actor=user_of(request), now=timezone.now()
        )
        messages.success(request, f"Retraining: {in_a_sentence(schedule_words(changed))}.")
    except RetrainingError as problem:
        messages.error(request, str(problem))
    return redirect("retraining:overview", slug=study.slug)


@study_view(StudyRole.RESEARCHER)
@require_POST
def start(request: HttpRequest, study: Study) -> HttpResponse:
    try:
        started = start_by_hand(study=study, actor=user_of(request), now=timezone.now())
    except RetrainingError as problem:
        messages.error(request, str(problem))
        return redirect("retraining:overview", slug=study.slug)
    return redirect("retraining:run", slug=study.slug, number=started.number)


@study_view(StudyRole.RESEARCHER)
@require_GET
def run(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    return _run_page(request, study, number, "retraining/run.html")


@study_view(StudyRole.RESEARCHER)
@require_GET
def progress(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    """The live part of a run's page; it stops asking once the run is over."""
    return _run_page(request, study, number, "retraining/_progress.html")


@study_view(StudyRole.RESEARCHER)
@require_POST
def stop(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    try:
        stop_run(run=run_numbered(study, number), now=timezone.now())
        messages.success(request, "The run is told to stop.")
    except JobError as problem:
        messages.error(request, str(problem))
    return redirect("retraining:run", slug=study.slug, number=number)


@study_view(StudyRole.RESEARCHER)
@require_POST
def again(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    try:
        take_up_again(run=run_numbered(study, number), now=timezone.now())
        messages.success(request, "The run is back in the queue and goes on where it stopped.")
    except (JobError, RetrainingError) as problem:
        messages.error(request, str(problem))
    return redirect("retraining:run", slug=study.slug, number=number)


def _overview(request: HttpRequest, study: Study, form: ScheduleForm) -> HttpResponse:
    current, now = schedule_of(study), timezone.now()
    coming = coming_occasion(current, now=now) if current else None
    runs = Paginator(runs_of(study), RUNS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "form": form,
        "kinds": KINDS,
        "zone": settings.TIME_ZONE,
        "schedule": current,
        "words": schedule_words(current) if current else "Off",
        "coming": coming,
        "is_due": coming is not None and coming.at <= now,
        "waits_for": _still_to_come(current),
        "n_new": new_final_judgments(study),
        "under_way": run_under_way(study),
        "has_codebook": study.editions.exists(),
        "page": runs,
        "rows": [page.run_row(each) for each in runs],
    }
    return render(request, "retraining/overview.html", context)


def _still_to_come(current: RetrainingSchedule | None) -> int | None:
    """How many new final judgments are missing until the next run; None if it does not wait for them."""
    if current is None or not current.is_on or current.kind != ScheduleKind.JUDGMENTS:
        return None
    return max(0, current.enough - new_final_judgments(current.study))


def _run_page(request: HttpRequest, study: Study, number: int, template: str) -> HttpResponse:
    found = run_numbered(study, number)
    return render(request, template, {"study": study, **page.run_page(found, now=timezone.now())})
