"""What pages and calls read about studies."""

from __future__ import annotations

from django.db.models import QuerySet

from backend.core.accounts.models import User
from backend.core.studies.models import Event, Membership, Study


def members(study: Study) -> QuerySet[Membership]:
    return study.memberships.select_related("user").order_by("-role", "user__username")


def possible_members(study: Study) -> QuerySet[User]:
    return User.objects.filter(is_active=True).exclude(memberships__study=study).order_by("username")


def recent_events(study: Study, limit: int = 20) -> QuerySet[Event]:
    return study.events.select_related("actor").order_by("-at", "-pk")[:limit]
