"""Pages that start and change a study, and manage who takes part."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from backend.core.accounts.access import user_of
from backend.core.accounts.models import User
from backend.core.studies import selectors, services
from backend.core.studies.access import study_view
from backend.core.studies.forms import AddMemberForm, MemberRoleForm, StudyForm
from backend.core.studies.models import Study, StudyRole


@require_http_methods(["GET", "POST"])
def create(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    if not user.may_start_studies:
        raise PermissionDenied("Only researchers and admins can start a study.")
    form = StudyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            study = services.create_study(created_by=user, now=timezone.now(), **form.cleaned_data)
            return redirect("overview:study", slug=study.slug)
        except services.StudyError as problem:
            form.add_error("name", str(problem))
    return render(request, "studies/create.html", {"form": form})


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, study: Study) -> HttpResponse:
    form = StudyForm(request.POST or None, initial={"name": study.name, "description": study.description})
    if request.method == "POST" and form.is_valid():
        try:
            services.update_study(
                study=study, actor=user_of(request), now=timezone.now(), **form.cleaned_data
            )
            messages.success(request, "Saved.")
            return redirect("overview:study", slug=study.slug)
        except services.StudyError as problem:
            form.add_error("name", str(problem))
    return render(request, "studies/edit.html", {"study": study, "form": form})


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def members(request: HttpRequest, study: Study) -> HttpResponse:
    form = AddMemberForm(request.POST or None, study=study)
    if request.method == "POST" and form.is_valid():
        try:
            _set_member(request, study, form.cleaned_data["user"], form.cleaned_data["role"])
            return redirect("studies:members", slug=study.slug)
        except services.StudyError as problem:
            form.add_error("role", str(problem))
    context = {
        "study": study,
        "memberships": selectors.members(study),
        "form": form,
        "roles": StudyRole.choices,
    }
    return render(request, "studies/members.html", context)


@study_view(StudyRole.RESEARCHER)
@require_POST
def change_member(request: HttpRequest, study: Study, user_id: int) -> HttpResponse:
    form = MemberRoleForm(request.POST)
    user = get_object_or_404(User, pk=user_id, memberships__study=study)
    if form.is_valid():
        try:
            _set_member(request, study, user, form.cleaned_data["role"])
        except services.StudyError as problem:
            messages.error(request, str(problem))
    return redirect("studies:members", slug=study.slug)


@study_view(StudyRole.RESEARCHER)
@require_POST
def remove_member(request: HttpRequest, study: Study, user_id: int) -> HttpResponse:
    user = get_object_or_404(User, pk=user_id, memberships__study=study)
    try:
        services.remove_member(study=study, user=user, actor=user_of(request), now=timezone.now())
        messages.success(request, f"{user} is no longer a member. What they did stays.")
    except services.StudyError as problem:
        messages.error(request, str(problem))
    return redirect("studies:members", slug=study.slug)


def _set_member(request: HttpRequest, study: Study, user: User, role: str) -> None:
    services.set_member(
        study=study, user=user, role=StudyRole(role), actor=user_of(request), now=timezone.now()
    )
    messages.success(request, f"{user} is now {StudyRole(role).label.lower()} of this study.")
