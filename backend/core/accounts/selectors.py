"""What pages and calls read about accounts."""

from __future__ import annotations

from django.db.models import QuerySet

from backend.core.accounts.models import ApiToken, User


def accounts() -> QuerySet[User]:
    return User.objects.order_by("-is_active", "role", "username").prefetch_related("memberships__study")


def live_tokens(user: User) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(user=user, revoked_at=None).order_by("-created_at")
