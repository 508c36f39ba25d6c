"""Decides about one request, after Django has found the view that would answer it."""

from urllib.parse import urlsplit

from django.http import HttpResponse
from django.urls import ResolverMatch

from attune_access.bodies import check_body, require_no_body
from attune_access.identifiers import as_id
from attune_access.owner import holds_owner_token, is_owner
from attune_access.place import Place, open_seat
from attune_access.refusals import NothingHere, NotSignedIn, Refused, WrongToken
from attune_access.rules import RULES, Errand, Rule
from attune_access.stand_ins import PLAIN_VIEW_ID

_SAFE = ("GET", "HEAD")
# For everybody, by the exact pattern: these have no names of their own in Label Studio
_OPEN_ROUTES = frozenset(
    {
        r"^static/(?P<path>.*)$",
        r"^static/fonts/roboto/roboto.css$",
        r"^react-app/(?P<path>.*)$",
        r"^dm/(?P<path>.*)$",
        r"^label-studio-frontend/(?P<path>.*)$",
        r"^favicon\.ico$",
        r"^sw\.js$",
        r"^sw-fallback\.js$",
    }
)
_OPEN_NAMES = frozenset({"health", "attune-sign-in", "attune-asset"})


def admit(request) -> HttpResponse | None:
    """None lets the view answer; a refusal is raised."""
    match = request.resolver_match
    if "HTTP_AUTHORIZATION" in request.META:
        if holds_owner_token(request):
            return None
        raise WrongToken
    _require_own_origin(request)
    if is_owner(request.user) or _is_open(request, match):
        return None
    if not request.user.is_authenticated:
        raise NotSignedIn
    return _admit_annotator(request, match)


def _require_own_origin(request) -> None:
    """A page of another server must not work with this one's log-in."""
    origin = request.META.get("HTTP_ORIGIN")
    if request.method not in _SAFE and origin is not None and urlsplit(origin).netloc != request.get_host():
        raise Refused


def _is_open(request, match: ResolverMatch) -> bool:
    is_listed = match.route in _OPEN_ROUTES or match.view_name in _OPEN_NAMES
    return is_listed and request.method in _SAFE


def _admit_annotator(request, match: ResolverMatch) -> HttpResponse | None:
    method = "GET" if request.method == "HEAD" else request.method
    rule = RULES.get((method, match.view_name))
    if rule is None:
        raise Refused
    errand = Errand(request, request.user, match.kwargs)
    place = rule.place(errand)
    _check_query(request, place, rule)
    if place is not None:
        request.attune_seat = open_seat(place)
    if rule.body is None:
        require_no_body(request)
    elif place is not None:
        check_body(request, place, rule.body)
    return rule.stand_in(errand, place) if rule.stand_in else None


def _check_query(request, place: Place | None, rule: Rule) -> None:
    if rule.query is None:
        return
    for name, values in request.GET.lists():
        if name not in rule.query or len(values) != 1:
            raise Refused
        if place is not None and not _points_here(name, values[0], place):
            raise NothingHere
    if rule.must_say and request.GET.get(rule.must_say[0]) != rule.must_say[1]:
        raise Refused


def _points_here(name: str, value: str, place: Place) -> bool:
    match name:
        case "project":
            return as_id(value) == place.project_id
        case "taskID":
            number = as_id(value)
            return number is not None and place.has_task(number)
        case "view" | "tabID":
            return as_id(value) in (0, PLAIN_VIEW_ID)
        case _:
            return True
