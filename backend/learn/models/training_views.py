"""Pages that ask for trainings and follow them."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from backend.core.accounts.access import user_of
from backend.core.jobs.models import Job
from backend.core.jobs.selectors import job_pace, study_jobs
from backend.core.jobs.views import JobRow
from backend.core.ml_tasks.folders import task_folder
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.decide.releases.models import Release
from backend.decide.releases.selectors import release_numbered
from backend.design.codebooks.selectors import codebook_of
from backend.learn.models.charts import METRIC_NAMES
from backend.learn.models.errors import AdapterError
from backend.learn.models.forms import TrainForm
from backend.learn.models.grids import enqueue_grid, grid_numbered, grid_rows, requests_of
from backend.learn.models.queue import TRAIN_ADAPTER, enqueue_training
from backend.learn.models.requests import GridRequest, TrainJob, TrainRequest
from backend.learn.models.selectors import adapters_of
from backend.learn.models.watching import Watched, watch_tasks
from learning.learners.registry import (
    LEARNERS,
    UnknownLearner,
    learner_spec,
    learners_for,
    title_of,
)
from learning.learners.spec import LearnerSpec


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def train(request: HttpRequest, study: Study) -> HttpResponse:
    releases = [release for release in study.releases.select_related("edition") if release.request["texts"]]
    learner = _learner(request.GET.get("learner", ""))
    parents = adapters_of(study).filter(learner=learner.name) if learner.can_continue else []
    if request.method == "POST":
        form = TrainForm(request.POST, learner=learner, releases=releases, parents=parents)
        if form.is_valid():
            try:
                return _redirect_to(request, study, form.train_request())
            except (AdapterError, ValidationError) as problem:
                form.add_error(None, str(getattr(problem, "message", problem)))
    else:
        initial = {name: request.GET.get(name, "") for name in ("release", "parent")}
        form = TrainForm(learner=learner, releases=releases, parents=parents, initial=initial)
    editions = {release.edition for release in releases}
    fitting = {each.name for edition in editions for each in learners_for(codebook_of(edition))}
    learners = [each for each in LEARNERS if each.name in fitting or not releases]
    context = {"study": study, "form": form, "learner": learner, "learners": learners, "releases": releases}
    return render(request, "models/train.html", context)


def _learner(name: str) -> LearnerSpec:
    try:
        return learner_spec(name)
    except UnknownLearner:
        return LEARNERS[0]


def _redirect_to(request: HttpRequest, study: Study, asked: GridRequest) -> HttpResponse:
    """One training has a page of its own, several have one together."""
    release = release_numbered(study, asked.release)
    actor, now = user_of(request), timezone.now()
    requests = requests_of(asked)
    if len(requests) > 1:
        grid = enqueue_grid(study=study, release=release, asked=asked, actor=actor, now=now)
        return redirect("models:grid", slug=study.slug, number=grid.number)
    job = enqueue_training(study=study, release=release, request=requests[0], actor=actor, now=now)
    return redirect("models:training", slug=study.slug, training_id=job.pk)


@study_view(StudyRole.RESEARCHER)
@require_POST
def train_baselines(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    """Each baseline that the release has no adapter of yet."""
    release = release_numbered(study, number)
    known = set(release.adapters.values_list("learner", flat=True))
    fitting = learners_for(codebook_of(release.edition))
    missing = [each for each in fitting if each.is_baseline and each.name not in known]
    try:
        for each in missing:
            _enqueue_plain(request, study, release, each.name)
        messages.success(
            request, f"{len(missing)} baselines are being trained." if missing else "All are there."
        )
    except AdapterError as problem:
        messages.error(request, str(problem))
    return redirect("models:leaderboard", slug=study.slug, number=number)


def _enqueue_plain(request: HttpRequest, study: Study, release: Release, learner: str) -> None:
    asked = TrainRequest(release=release.number, learner=learner)
    enqueue_training(study=study, release=release, request=asked, actor=user_of(request), now=timezone.now())


@study_view(StudyRole.RESEARCHER)
@require_GET
def training_page(request: HttpRequest, study: Study, training_id: int) -> HttpResponse:
    return _training_page(request, study, training_id, "models/training.html")


@study_view(StudyRole.RESEARCHER)
@require_GET
def training_progress(request: HttpRequest, study: Study, training_id: int) -> HttpResponse:
    """The live part of the page; it stops asking once the training is over."""
    return _training_page(request, study, training_id, "models/_live.html")


def _training_page(request: HttpRequest, study: Study, training_id: int, template: str) -> HttpResponse:
    job = training_job(study, training_id)
    row = JobRow(job, job_pace(job, now=timezone.now()))
    live = live_training(study, job)
    return render(request, template, {"study": study, "job": job, "row": row, "live": live})


@study_view(StudyRole.RESEARCHER)
@require_GET
def grid(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    return _grid_page(request, study, number, "models/grid.html")


@study_view(StudyRole.RESEARCHER)
@require_GET
def grid_progress(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    return _grid_page(request, study, number, "models/_grid.html")


def _grid_page(request: HttpRequest, study: Study, number: int, template: str) -> HttpResponse:
    found = grid_numbered(study, number)
    rows = grid_rows(found)
    context = {
        "study": study,
        "grid": found,
        "title": title_of(found.learner),
        "rows": rows,
        "is_active": any(not row.job.is_over for row in rows),
        "n_trained": sum(row.adapter is not None for row in rows),
        "metrics": METRIC_NAMES,
    }
    return render(request, template, context)


@dataclass(frozen=True, slots=True)
class LiveTraining:
    asked: TrainJob
    title: str
    watched: Watched


def training_job(study: Study, job_id: int) -> Job:
    found = study_jobs(study.pk).filter(pk=job_id, kind=TRAIN_ADAPTER).first()
    if found is None:
        raise Http404("This study has no such training.")
    return found


def live_training(study: Study, job: Job) -> LiveTraining:
    asked = TrainJob.model_validate(job.arguments)
    title = f"{title_of(asked.request.learner)} on release {asked.request.release}"
    return LiveTraining(asked, title, watch_tasks(task_folder(study, job.pk)))
