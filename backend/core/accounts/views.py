"""Pages about one's own account, and about everybody's for admins."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LoginView, PasswordChangeView, PasswordResetConfirmView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from backend.core.accounts import selectors, services
from backend.core.accounts.access import user_of
from backend.core.accounts.forms import AccountForm, ChangeAccountForm, RemindersForm, TokenForm
from backend.core.accounts.models import AccountRole, User


def admin_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    @wraps(view)
    def guarded(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if not user_of(request).is_admin:
            raise PermissionDenied("Only admins may do this.")
        return view(request, **kwargs)

    return guarded


class LogIn(LoginView):
    template_name = "accounts/log_in.html"
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"provider": settings.OIDC_ISSUER and settings.OIDC_NAME}


class ChangePassword(PasswordChangeView):
    template_name = "accounts/change_password.html"
    success_url = reverse_lazy("accounts:account")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, "Your password is changed.")
        return super().form_valid(form)


@method_decorator(login_not_required, name="dispatch")
class ChoosePassword(PasswordResetConfirmView):
    """Where a reset link leads."""

    template_name = "accounts/choose_password.html"
    success_url = reverse_lazy("overview:home")
    post_reset_login = True
    post_reset_login_backend = "django.contrib.auth.backends.ModelBackend"

    def form_valid(self, form: Any) -> HttpResponse:
        services.forget_log_ins(form.user, now=timezone.now())
        messages.success(self.request, "Your password is changed. Tokens of before are revoked.")
        return super().form_valid(form)


@require_GET
def account(request: HttpRequest) -> HttpResponse:
    return _account_page(request, TokenForm())


@require_POST
def change_email(request: HttpRequest) -> HttpResponse:
    """Where reminders go. What people type about themselves lets nobody log in."""
    form, user = RemindersForm(request.POST), user_of(request)
    if not form.is_valid():
        messages.error(request, "Nothing is changed: this is no e-mail address.")
        return redirect("accounts:account")
    try:
        services.set_email(user=user, email=form.cleaned_data["email"], is_verified=False)
        User.objects.filter(pk=user.pk).update(wants_reminders=form.cleaned_data["wants_reminders"])
        messages.success(request, "Saved.")
    except services.AccountError as problem:
        messages.error(request, str(problem))
    return redirect("accounts:account")


@require_POST
def add_token(request: HttpRequest) -> HttpResponse:
    """The new token's text is shown in this answer alone: it is never stored."""
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _account_page(request, form)
    _, text = services.create_token(user=user_of(request), name=form.cleaned_data["name"], now=timezone.now())
    return _account_page(request, TokenForm(), new_token=text)


@require_POST
def revoke_token(request: HttpRequest, token_id: int) -> HttpResponse:
    if services.revoke_token(user=user_of(request), token_id=token_id, now=timezone.now()):
        messages.success(request, "The token is revoked: calls with it are refused from now on.")
    return redirect("accounts:account")


def _account_page(request: HttpRequest, form: TokenForm, new_token: str = "") -> HttpResponse:
    context = {
        "tokens": selectors.live_tokens(user_of(request)),
        "form": form,
        "new_token": new_token,
        "reminders_form": RemindersForm(
            initial={"email": user_of(request).email, "wants_reminders": user_of(request).wants_reminders}
        ),
        "provider": settings.OIDC_ISSUER and settings.OIDC_NAME,
    }
    return render(request, "accounts/account.html", context)


@admin_only
@require_http_methods(["GET", "POST"])
def people(request: HttpRequest) -> HttpResponse:
    form = AccountForm(request.POST or None)
    handover = None
    if request.method == "POST" and form.is_valid():
        password = services.suggest_password()
        try:
            created = services.create_account(
                username=form.cleaned_data["username"],
                display_name=form.cleaned_data["display_name"],
                role=AccountRole(form.cleaned_data["role"]),
                password=password,
                email=form.cleaned_data["email"],
            )
            handover, form = (created, password), AccountForm()
        except services.AccountError as problem:
            form.add_error("username", str(problem))
    return _people_page(request, form, handover=handover)


@admin_only
@require_POST
def change_account(request: HttpRequest, user_id: int) -> HttpResponse:
    user = get_object_or_404(User, pk=user_id)
    form = ChangeAccountForm(request.POST)
    if form.is_valid():
        try:
            services.change_account(
                user=user,
                role=AccountRole(form.cleaned_data["role"]),
                is_active=form.cleaned_data["is_active"],
            )
            services.set_email(user=user, email=form.cleaned_data["email"], is_verified=True)
            messages.success(request, f"{user}'s account is changed.")
        except services.AccountError as problem:
            messages.error(request, str(problem))
    else:
        messages.error(request, "Nothing is changed: the e-mail has to be an address, or empty.")
    return redirect("accounts:people")


@admin_only
@require_POST
def reset_password(request: HttpRequest, user_id: int) -> HttpResponse:
    user = get_object_or_404(User, pk=user_id)
    password = services.reset_password(user=user, now=timezone.now())
    return _people_page(request, AccountForm(), handover=(user, password))


@admin_only
@require_POST
def make_reset_link(request: HttpRequest, user_id: int) -> HttpResponse:
    user = get_object_or_404(User, pk=user_id)
    return _people_page(request, AccountForm(), reset=(user, services.reset_link(user)))


def _people_page(
    request: HttpRequest,
    form: AccountForm,
    *,
    handover: tuple[User, str] | None = None,
    reset: tuple[User, str] | None = None,
) -> HttpResponse:
    context = {
        "accounts": selectors.accounts(),
        "form": form,
        "handover": handover,
        "reset": reset,
        "roles": AccountRole.choices,
    }
    return render(request, "accounts/people.html", context)
