"""What pages and calls read about studies."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from backend.accounts.models import User
from backend.studies.access import studies_of
from backend.studies.models import Event, Membership, Study, StudyRole


@dataclass(frozen=True)
class StudyCard:
    """A study as the home page shows it."""

    study: Study
    annotators: int
    researchers: int
    editions: int
    corpora: int
    items: int


def study_cards(user: User) -> list[StudyCard]:
    studies = (
        studies_of(user)
        .annotate(
            annotators=Count("memberships", filter=Q(memberships__role=StudyRole.ANNOTATOR), distinct=True),
            researchers=Count("memberships", filter=Q(memberships__role=StudyRole.RESEARCHER), distinct=True),
            edition_count=Count("editions", distinct=True),
            corpus_count=Count("corpora", distinct=True),
            item_count=Count("items", distinct=True),
        )
        .order_by("name")
    )
    return [
        StudyCard(
            study=study,
            annotators=study.annotators,
            researchers=study.researchers,
            editions=study.edition_count,
            corpora=study.corpus_count,
            items=study.item_count,
        )
        for study in studies
    ]


def members(study: Study) -> QuerySet[Membership]:
    return study.memberships.select_related("user").order_by("-role", "user__username")


def possible_members(study: Study) -> QuerySet[User]:
    return User.objects.filter(is_active=True).exclude(memberships__study=study).order_by("username")


def recent_events(study: Study, limit: int = 20) -> QuerySet[Event]:
    return study.events.select_related("actor").order_by("-at", "-pk")[:limit]
