"""Pages that start and change a study, and manage who takes part."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from backend.core.accounts.access import user_of
from backend.core.accounts.models import User
from backend.core.accounts.services import AccountError
from backend.core.studies import invitations, selectors, services
from backend.core.studies.access import study_view
from backend.core.studies.forms import (
    AddMemberForm,
    EditStudyForm,
    InviteForm,
    JoinForm,
    RolesForm,
    StudyForm,
)
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
    initial = {name: getattr(study, name) for name in ("name", "description", "remind_days_before")}
    form = EditStudyForm(request.POST or None, initial=initial)
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
            _set_member(request, study, form.cleaned_data["user"], form.role)
            return redirect("studies:members", slug=study.slug)
        except services.StudyError as problem:
            form.add_error("roles", str(problem))
    return _members_page(request, study, form, InviteForm())


@study_view(StudyRole.RESEARCHER)
@require_POST
def invite(request: HttpRequest, study: Study) -> HttpResponse:
    """The link is shown in this answer alone: it is never stored."""
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _members_page(request, study, AddMemberForm(study=study), form)
    address = form.cleaned_data.get("email", "")
    made, link = invitations.invite(
        study=study,
        role=form.role,
        note=form.cleaned_data["note"] or address,
        actor=user_of(request),
        now=timezone.now(),
    )
    if address:
        try:
            invitations.send_invitation(made, link, address=address)
            messages.success(request, f"The link was sent to {address}.")
        except invitations.InvitationNotSent as problem:
            messages.error(request, str(problem))
    return _members_page(request, study, AddMemberForm(study=study), InviteForm(), link=link)


def _members_page(
    request: HttpRequest, study: Study, form: AddMemberForm, invite_form: InviteForm, link: str = ""
) -> HttpResponse:
    context = {
        "study": study,
        "memberships": selectors.members(study),
        "invitations": invitations.open_invitations(study, now=timezone.now()),
        "form": form,
        "invite_form": invite_form,
        "link": link,
    }
    return render(request, "studies/members.html", context)


@study_view(StudyRole.RESEARCHER)
@require_POST
def withdraw_invitation(request: HttpRequest, study: Study, invitation_id: int) -> HttpResponse:
    try:
        invitations.withdraw_invitation(
            study=study, invitation_id=invitation_id, actor=user_of(request), now=timezone.now()
        )
        messages.success(request, "The invitation is withdrawn: its link lets nobody in any more.")
    except invitations.InvitationUnusable as problem:
        messages.error(request, str(problem))
    return redirect("studies:members", slug=study.slug)


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Whoever is logged in joins with their account, others with a new one."""
    now = timezone.now()
    try:
        found = invitations.invitation_of(token, now=now)
    except invitations.InvitationUnusable as problem:
        return render(request, "studies/invitation_unusable.html", {"problem": problem}, status=404)
    is_known = request.user.is_authenticated
    form = JoinForm(request.POST if request.method == "POST" and not is_known else None)
    if request.method == "POST" and (is_known or form.is_valid()):
        try:
            if is_known:
                study = invitations.accept_invitation(token=token, user=user_of(request), now=now)
            else:
                user, study = invitations.join_with_new_account(token=token, now=now, **form.cleaned_data)
                login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            messages.success(request, f"Welcome to “{study.name}”.")
            return redirect("overview:study", slug=study.slug)
        except ValidationError as problem:
            form.add_error("password", problem)
        except (services.StudyError, AccountError) as problem:
            form.add_error(None, str(problem)) if form.is_bound else messages.error(request, str(problem))
    context = {"invitation": found, "form": form, "provider": settings.OIDC_ISSUER and settings.OIDC_NAME}
    return render(request, "studies/invitation.html", context)


@study_view(StudyRole.RESEARCHER)
@require_POST
def change_member(request: HttpRequest, study: Study, user_id: int) -> HttpResponse:
    form = RolesForm(request.POST)
    user = get_object_or_404(User, pk=user_id, memberships__study=study)
    if form.is_valid():
        try:
            _set_member(request, study, user, form.role)
        except services.StudyError as problem:
            messages.error(request, str(problem))
    else:
        messages.error(request, f"{user} needs a role: tick one, or remove them from the study.")
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


def _set_member(request: HttpRequest, study: Study, user: User, role: StudyRole) -> None:
    services.set_member(study=study, user=user, role=role, actor=user_of(request), now=timezone.now())
    messages.success(request, f"{user} is now {role.label.lower()} of this study.")
