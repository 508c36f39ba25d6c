"""Pages that show what workers do for a study, live, and let researchers stop or repeat it."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from backend.core.jobs import services
from backend.core.jobs.errors import JobError
from backend.core.jobs.models import ACTIVE_STATES, Job
from backend.core.jobs.selectors import Pace, active_jobs, job_pace, study_jobs
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.core.web.formats import duration, filesize, thousands, whole_rate

JOBS_A_PAGE = 50


@dataclass(frozen=True)
class JobRow:
    """A job with what a page says about its speed."""

    job: Job
    pace: Pace

    @property
    def is_active(self) -> bool:
        return self.job.state in ACTIVE_STATES

    @property
    def note(self) -> str:
        """How far it is, how fast and how long it will take, as far as that is known."""
        job = self.job
        parts = []
        if job.progress_total and job.progress_done <= job.progress_total:
            parts.append(f"{self._amount(job.progress_done)} of {self._amount(job.progress_total)}")
        elif job.progress_done:
            parts.append(self._amount(job.progress_done))
        if self.pace.rate:
            number, period = whole_rate(self.pace.rate)
            parts.append(f"{self._amount(number)} {period}")
        if self.pace.time_left is not None:
            parts.append(f"{duration(self.pace.time_left)} left")
        return " · ".join(parts)

    def _amount(self, number: int) -> str:
        unit = self.job.progress_unit
        return filesize(number) if unit == "bytes" else f"{thousands(number)} {unit}".strip()

    @property
    def outcome(self) -> str:
        return self._from_result("summary")

    @property
    def link(self) -> str:
        return self._from_result("url")

    def _from_result(self, name: str) -> str:
        result = self.job.result
        return str(result.get(name, "")) if isinstance(result, dict) else ""


@study_view(StudyRole.RESEARCHER)
@require_GET
def job_list(request: HttpRequest, study: Study) -> HttpResponse:
    page = Paginator(study_jobs(study.pk), JOBS_A_PAGE).get_page(request.GET.get("page"))
    context = {"study": study, "page": page, "jobs": active_jobs(study.pk)}
    return render(request, "jobs/list.html", context)


@study_view(StudyRole.RESEARCHER)
@require_GET
def detail(request: HttpRequest, study: Study, job_id: int) -> HttpResponse:
    return _job_page(request, study, job_id, "jobs/detail.html")


@study_view(StudyRole.RESEARCHER)
@require_GET
def progress(request: HttpRequest, study: Study, job_id: int) -> HttpResponse:
    """The live part of a job's page; it stops asking once the job is over."""
    return _job_page(request, study, job_id, "jobs/_progress.html")


def _job_page(request: HttpRequest, study: Study, job_id: int, template: str) -> HttpResponse:
    job = _job_of(study, job_id)
    row = JobRow(job, job_pace(job, now=timezone.now()))
    return render(request, template, {"study": study, "row": row, "job": job})


@study_view(StudyRole.RESEARCHER)
@require_POST
def cancel(request: HttpRequest, study: Study, job_id: int) -> HttpResponse:
    job = _job_of(study, job_id)
    try:
        services.request_cancel(job_id=job.pk, now=timezone.now())
        messages.success(request, "The job is told to stop.")
    except JobError as problem:
        messages.error(request, str(problem))
    return redirect("jobs:detail", slug=study.slug, job_id=job.pk)


@study_view(StudyRole.RESEARCHER)
@require_POST
def retry(request: HttpRequest, study: Study, job_id: int) -> HttpResponse:
    job = _job_of(study, job_id)
    try:
        services.retry_job(job_id=job.pk, now=timezone.now())
        messages.success(request, "The job is back in the queue.")
    except JobError as problem:
        messages.error(request, str(problem))
    return redirect("jobs:detail", slug=study.slug, job_id=job.pk)


def _job_of(study: Study, job_id: int) -> Job:
    job = study_jobs(study.pk).filter(pk=job_id).first()
    if job is None:
        raise Http404("This study has no such job.")
    return job
