"""The few pages of the access app's own: short, calm, with the way back to Attune."""

from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpResponse, JsonResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.cache import cache_control

from attune_access.place import newest_seat
from attune_access.refusals import NotSignedIn, Refused, SeatClosed

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Attune</title>
<link rel="stylesheet" href="/attune/assets/access.css">
</head>
<body class="attune-page">
<main>
<h1>{title}</h1>
<p>{text}</p>
{links}
</main>
</body>
</html>
"""
_NO_LINKS = SafeString("")
_WAY_BACK = "attune_way_back"
_WAY_BACK_SECONDS = 60 * 24 * 3600


def refusal(request, reason: Refused) -> HttpResponse:
    """A page for people, JSON for the scripts of Label Studio's pages."""
    if "text/html" not in request.META.get("HTTP_ACCEPT", ""):
        return JsonResponse({"detail": reason.detail}, status=reason.status)
    match reason:
        case SeatClosed():
            title, text = (
                "This batch is not open",
                "It has been paused or closed. What you have submitted is kept.",
            )
        case NotSignedIn():
            title, text = (
                "You are signed out",
                "Go back to Attune and press the button of your batch again. Admins open Label Studio from there too.",
            )
        case _:
            title, text = (
                "There is nothing here for you",
                "Your work is opened from Attune: go back and choose a batch.",
            )
    links = _links(_return_url(request, reason)) + _aside(request, reason)
    return _page(title, text, status=reason.status, links=links)


def ticket_refused(request) -> HttpResponse:
    return _page(
        "This link no longer works",
        "A link from Attune opens your work once, within a minute. Go back to Attune and press the button again.",
        status=403,
        links=_links(_remembered_token(request)),
    )


def remember_way_back(response: HttpResponse, return_url: str) -> None:
    """So that somebody whose session has ended still finds back."""
    response.set_signed_cookie(
        _WAY_BACK,
        return_url,
        max_age=_WAY_BACK_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
        path="/",
    )


def _return_url(request, reason: Refused) -> str:
    if isinstance(reason, SeatClosed):
        return reason.return_url
    if not request.user.is_authenticated:
        return _remembered_token(request)
    newest = newest_seat(request.user.pk)
    return newest.return_url if newest else _remembered_token(request)


def _remembered_token(request) -> str:
    return request.get_signed_cookie(_WAY_BACK, default="", max_age=_WAY_BACK_SECONDS)


def _links(return_url: str) -> SafeString:
    if not return_url:
        return _NO_LINKS
    return format_html('<p><a class="attune-button" href="{}">Back to Attune</a></p>', return_url)


def _aside(request, reason: Refused) -> SafeString:
    """For a browser that somebody has left open."""
    if isinstance(reason, NotSignedIn) or not request.user.is_authenticated:
        return _NO_LINKS
    return SafeString('<p class="attune-aside"><a href="/logout/">Sign out</a></p>')


def _page(title: str, text: str, *, status: int, links: SafeString) -> HttpResponse:
    return HttpResponse(format_html(_PAGE, title=title, text=text, links=links), status=status)


_FOLDER = Path(__file__).parent / "assets"
_KINDS = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
_FILES = {path.name: path for path in _FOLDER.iterdir() if path.suffix in _KINDS}


@cache_control(public=True, max_age=300)
def asset(request, name: str) -> HttpResponse:
    """Serves the access app's own style and script: Label Studio's static files are a finished build."""
    path = _FILES.get(name)
    if path is None:
        raise Http404
    return HttpResponse(path.read_bytes(), content_type=_KINDS[path.suffix])
