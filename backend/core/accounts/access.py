"""The account behind a request or a call, and who may make a call: asked before its body is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils import timezone
from ninja.security import HttpBearer, SessionAuth

from backend.core.accounts.models import AccountRole, User
from backend.core.accounts.services import user_of_token

Door = Callable[[HttpRequest, User], None]


def user_of(request: HttpRequest) -> User:
    """The person behind a request that log-in already guards."""
    return cast(User, request.user)


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


def callers(door: Door) -> list[Callable[[HttpRequest], Any]]:
    return [Token(door), Session(door)]


ACCOUNT = callers(_open_door)
ADMIN = callers(_admin_door)
