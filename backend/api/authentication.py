"""Who calls, and whether they may enter the study in the address: both asked before a call's body is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils import timezone
from ninja.security import HttpBearer, SessionAuth

from backend.accounts.models import AccountRole, User
from backend.accounts.services import user_of_token
from backend.studies.access import study_for, user_of
from backend.studies.models import Study, StudyRole

Door = Callable[[HttpRequest, User], None]


def _study_door(needs: StudyRole) -> Door:
    def enter(request: HttpRequest, user: User) -> None:
        match = request.resolver_match
        request.study = study_for(user, match.kwargs["slug"] if match else "", needs)  # type: ignore[attr-defined]

    return enter


def _open_door(request: HttpRequest, user: User) -> None:
    """Enough to have an account."""


def _admin_door(request: HttpRequest, user: User) -> None:
    if user.role != AccountRole.ADMIN:
        raise PermissionDenied("Only admins manage accounts.")


class Token(HttpBearer):
    """`Authorization: Bearer attune_…`; the request's user becomes the token's owner."""

    def __init__(self, door: Door) -> None:
        super().__init__()
        self._door = door

    def authenticate(self, request: HttpRequest, token: str) -> User | None:
        user = user_of_token(token, now=timezone.now())
        if user is not None:
            request.user = user
            self._door(request, user)
        return user


class Session(SessionAuth):
    """A logged-in browser; ninja asks it for the CSRF token too."""

    def __init__(self, door: Door) -> None:
        super().__init__()
        self._door = door

    def authenticate(self, request: HttpRequest, key: str | None) -> User | None:
        if not request.user.is_authenticated:
            return None
        self._door(request, user_of(request))
        return user_of(request)


def _callers(door: Door) -> list[Callable[[HttpRequest], Any]]:
    return [Token(door), Session(door)]


ACCOUNT = _callers(_open_door)
ADMIN = _callers(_admin_door)
MEMBER = _callers(_study_door(StudyRole.ANNOTATOR))
RESEARCHER = _callers(_study_door(StudyRole.RESEARCHER))


def study_of(request: HttpRequest) -> Study:
    """The study that the caller was let into."""
    study: Study = request.study  # type: ignore[attr-defined]
    return study
