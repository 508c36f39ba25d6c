"""Who calls: a notebook by its token, or a logged-in browser by its session."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone
from ninja.security import HttpBearer

from backend.accounts.models import User
from backend.accounts.services import user_of_token


class TokenAuthentication(HttpBearer):
    """`Authorization: Bearer attune_…`; the request's user becomes the token's owner."""

    def authenticate(self, request: HttpRequest, token: str) -> User | None:
        user = user_of_token(token, now=timezone.now())
        if user is not None:
            request.user = user
        return user
