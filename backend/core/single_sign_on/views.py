"""To the provider and back, connecting an account with it, and logging out of both."""

from __future__ import annotations

import logging
from urllib.parse import urlencode

from authlib.common.errors import AuthlibBaseError
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LogoutView
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from joserfc.errors import JoseError
from requests import RequestException

from backend.core.accounts.access import user_of
from backend.core.single_sign_on.provider import is_on, provider
from backend.core.single_sign_on.services import Claims, SignInRefused, link, unlink, user_for

logger = logging.getLogger(__name__)
NEXT, ID_TOKEN = "sign_in_next", "sign_in_id_token"
# What goes wrong with an answer that nobody has tampered with: a provider that is away, a page that was open for long
FAILURES = (AuthlibBaseError, JoseError, RequestException, ValueError, KeyError)


@login_not_required
@never_cache
@require_GET
def begin(request: HttpRequest) -> HttpResponse:
    """Keeps where somebody was going, and sends them to the provider."""
    if not is_on():
        raise Http404("Log-in with another account is not set up here.")
    wanted = request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
    request.session[NEXT] = wanted if is_ours else ""
    try:
        answer: HttpResponse = provider().authorize_redirect(request, _callback())
    except FAILURES as problem:
        return _refused(request, problem)
    return answer


@login_not_required
@never_cache
@require_GET
def finish(request: HttpRequest) -> HttpResponse:
    """State, nonce, PKCE and signature are checked before anything that the answer says is believed."""
    if not is_on():
        raise Http404("Log-in with another account is not set up here.")
    next_path = request.session.pop(NEXT, "")
    try:
        token = provider().authorize_access_token(request)
        claims = Claims.of(token["userinfo"])
    except FAILURES as problem:
        return _refused(request, problem)
    now = timezone.now()
    try:
        if request.user.is_authenticated:
            link(user=user_of(request), claims=claims, now=now)
            messages.success(request, f"Your account is connected with {settings.OIDC_NAME}.")
            return redirect("accounts:account")
        user = user_for(claims, next_path=next_path, now=now)
    except SignInRefused as problem:
        return render(request, "single_sign_on/refused.html", {"problem": problem}, status=403)
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    request.session[ID_TOKEN] = token["id_token"]
    return redirect(next_path or settings.LOGIN_REDIRECT_URL)


def _callback() -> str:
    return str(settings.PUBLIC_URL + reverse("single_sign_on:finish"))


def _refused(request: HttpRequest, problem: Exception) -> HttpResponse:
    """The log says what was wrong; a stranger is not told."""
    logger.warning("A log-in with the provider failed: %s", type(problem).__name__)
    context = {"problem": "The answer that came back could not be used. Nothing was changed: try again."}
    return render(request, "single_sign_on/refused.html", context, status=400)


@require_POST
def disconnect(request: HttpRequest) -> HttpResponse:
    try:
        if unlink(user=user_of(request)):
            messages.success(request, f"Your account is no longer connected with {settings.OIDC_NAME}.")
    except SignInRefused as problem:
        messages.error(request, str(problem))
    return redirect("accounts:account")


class LogOut(LogoutView):
    """Who came from the provider is logged out there too, where it offers that."""

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        id_token = request.session.get(ID_TOKEN, "")
        answer = super().post(request, *args, **kwargs)
        return redirect(address) if id_token and (address := _log_out_address(id_token)) else answer


def _log_out_address(id_token: str) -> str:
    if not is_on():
        return ""
    try:
        address = provider().load_server_metadata().get("end_session_endpoint", "")
    except FAILURES as problem:
        logger.warning("The provider did not say how to log out: %s", type(problem).__name__)
        return ""
    back = settings.PUBLIC_URL + reverse("accounts:log_in")
    asked = {
        "id_token_hint": id_token,
        "post_logout_redirect_uri": back,
        "client_id": settings.OIDC_CLIENT_ID,
    }
    return f"{address}?{urlencode(asked)}" if address else ""
