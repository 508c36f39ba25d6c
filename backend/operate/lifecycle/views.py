"""Pages that archive, restore, copy and delete a study, and say what each means."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from backend.core.accounts.access import user_of
from backend.core.jobs.errors import JobError
from backend.core.jobs.models import Job, JobState
from backend.core.jobs.services import request_cancel, retry_job
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.core.studies.services import StudyError
from backend.operate.erasure.holdings import holdings
from backend.operate.erasure.models import StudyDeletion
from backend.operate.lifecycle import services
from backend.operate.lifecycle.forms import CopyForm, DeleteForm


@study_view(StudyRole.RESEARCHER)
@require_GET
def life(request: HttpRequest, study: Study) -> HttpResponse:
    return _life_page(request, study, CopyForm(initial={"name": f"{study.name}, copy"}))


def _life_page(request: HttpRequest, study: Study, form: CopyForm) -> HttpResponse:
    context = {"study": study, "form": form, "may_delete": services.may_delete(user_of(request), study)}
    return render(request, "lifecycle/life.html", context)


@study_view(StudyRole.RESEARCHER)
@require_POST
def archive(request: HttpRequest, study: Study) -> HttpResponse:
    try:
        services.archive_study(study=study, actor=user_of(request), now=timezone.now())
        messages.success(request, "The study is archived.")
    except StudyError as problem:
        messages.error(request, str(problem))
    return redirect("lifecycle:life", slug=study.slug)


@study_view(StudyRole.RESEARCHER)
@require_POST
def restore(request: HttpRequest, study: Study) -> HttpResponse:
    try:
        services.restore_study(study=study, actor=user_of(request), now=timezone.now())
        messages.success(request, "The study is back. Open batches open again within a minute.")
    except StudyError as problem:
        messages.error(request, str(problem))
    return redirect("lifecycle:life", slug=study.slug)


@study_view(StudyRole.RESEARCHER)
@require_POST
def copy(request: HttpRequest, study: Study) -> HttpResponse:
    form = CopyForm(request.POST)
    if form.is_valid():
        try:
            made = services.copy_study(
                study=study, actor=user_of(request), now=timezone.now(), **form.cleaned_data
            )
            messages.success(request, f"This is the copy of “{study.name}”. Next: its texts.")
            return redirect("overview:study", slug=made.slug)
        except StudyError as problem:
            form.add_error("name", str(problem))
    return _life_page(request, study, form)


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, study: Study) -> HttpResponse:
    """Shows what would go, and deletes it once the name is typed."""
    if not services.may_delete(user_of(request), study):
        raise PermissionDenied("Only admins, and whoever started the study, can delete it.")
    form = DeleteForm(request.POST or None, study=study)
    if request.method == "POST" and form.is_valid():
        try:
            job = services.ask_for_deletion(
                study=study,
                confirmed_name=form.cleaned_data["name"],
                actor=user_of(request),
                now=timezone.now(),
            )
            return redirect("lifecycle:deletion", job_id=job.pk)
        except StudyError as problem:
            form.add_error("name", str(problem))
    context = {
        "study": study,
        "form": form,
        "holdings": holdings(study).items(),
        "releases": study.releases.all(),
        "edition": study.editions.first(),
    }
    return render(request, "lifecycle/delete.html", context)


@require_GET
def deletion(request: HttpRequest, job_id: int) -> HttpResponse:
    """How far a deletion is; the study's own pages are gone."""
    job = _deletion_of(request, job_id)
    is_within = request.headers.get("HX-Request") == "true"
    context = {"job": job, "name": services.DeletionJob.model_validate(job.arguments).name}
    return render(request, f"lifecycle/{'_deletion' if is_within else 'deletion'}.html", context)


@require_POST
def change_deletion(request: HttpRequest, job_id: int, verb: str) -> HttpResponse:
    job, now = _deletion_of(request, job_id), timezone.now()
    try:
        if verb == "stop":
            request_cancel(job_id=job.pk, now=now)
        elif verb == "again":
            retry_job(job_id=job.pk, now=now)
        elif verb == "keep":
            kept = services.keep_study(job=job, actor=user_of(request), now=now)
            if kept is not None:
                messages.success(request, "The study is kept.")
                return redirect("overview:study", slug=kept.slug)
        else:
            raise Http404("A deletion can be stopped, tried again, or called off.")
    except (JobError, StudyError) as problem:
        messages.error(request, str(problem))
    return redirect("lifecycle:deletion", job_id=job.pk)


def _deletion_of(request: HttpRequest, job_id: int) -> Job:
    """For who asked for it, and for admins."""
    user = user_of(request)
    job = Job.objects.filter(pk=job_id, kind=services.DELETE_STUDY).first()
    if job is None or not (user.is_admin or job.created_by_id == user.pk):
        raise Http404("There is no such deletion, or it is not yours.")
    return job


@require_GET
def deleted(request: HttpRequest) -> HttpResponse:
    """What was deleted on this instance: admins see all, others what they deleted."""
    user = user_of(request)
    rows = StudyDeletion.objects.select_related("deleted_by")
    under_way = Job.objects.filter(kind=services.DELETE_STUDY).exclude(state=JobState.DONE)
    if not user.is_admin:
        rows, under_way = rows.filter(deleted_by=user), under_way.filter(created_by=user)
    return render(request, "lifecycle/deleted.html", {"rows": rows, "under_way": under_way})
