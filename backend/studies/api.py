"""Calls about studies and who takes part."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Field, Router, Schema

from backend.accounts.models import User
from backend.studies import selectors, services
from backend.studies.access import studies_of, study_for, user_of
from backend.studies.models import Event, Membership, Study, StudyRole

router = Router()


class StudyOut(Schema):
    slug: str
    name: str
    description: str
    created_at: datetime


class StudyIn(Schema):
    name: str = Field(min_length=1, max_length=120)
    description: str = Field(default="", max_length=4000)


class MemberOut(Schema):
    username: str = Field(alias="user.username")
    display_name: str = Field(alias="user.display_name")
    role: StudyRole
    added_at: datetime


class MemberIn(Schema):
    role: StudyRole


class EventOut(Schema):
    at: datetime
    actor: str | None
    summary: str

    @staticmethod
    def resolve_actor(event: Event) -> str | None:
        return event.actor.username if event.actor else None


@router.get("", response=list[StudyOut])
def list_studies(request: HttpRequest) -> list[Study]:
    return list(studies_of(user_of(request)).order_by("name"))


@router.post("", response={201: StudyOut})
def create_study(request: HttpRequest, body: StudyIn) -> tuple[int, Study]:
    return 201, services.create_study(
        name=body.name, description=body.description, created_by=user_of(request), now=timezone.now()
    )


@router.get("{slug}", response=StudyOut)
def read_study(request: HttpRequest, slug: str) -> Study:
    return study_for(user_of(request), slug, StudyRole.ANNOTATOR)


@router.put("{slug}", response=StudyOut)
def update_study(request: HttpRequest, slug: str, body: StudyIn) -> Study:
    study = study_for(user_of(request), slug, StudyRole.RESEARCHER)
    return services.update_study(
        study=study, name=body.name, description=body.description, actor=user_of(request), now=timezone.now()
    )


@router.get("{slug}/members", response=list[MemberOut])
def list_members(request: HttpRequest, slug: str) -> list[Membership]:
    return list(selectors.members(study_for(user_of(request), slug, StudyRole.RESEARCHER)))


@router.put("{slug}/members/{username}", response=MemberOut)
def set_member(request: HttpRequest, slug: str, username: str, body: MemberIn) -> Membership:
    """Adds a person or changes their role."""
    study = study_for(user_of(request), slug, StudyRole.RESEARCHER)
    user = get_object_or_404(User, username=username, is_active=True)
    return services.set_member(
        study=study, user=user, role=body.role, actor=user_of(request), now=timezone.now()
    )


@router.delete("{slug}/members/{username}", response={204: None})
def remove_member(request: HttpRequest, slug: str, username: str) -> tuple[int, None]:
    study = study_for(user_of(request), slug, StudyRole.RESEARCHER)
    user = get_object_or_404(User, username=username, memberships__study=study)
    services.remove_member(study=study, user=user, actor=user_of(request), now=timezone.now())
    return 204, None


@router.get("{slug}/history", response=list[EventOut])
def history(request: HttpRequest, slug: str, limit: int = 200) -> list[Event]:
    study = study_for(user_of(request), slug, StudyRole.RESEARCHER)
    return list(selectors.recent_events(study, limit=max(1, min(limit, 5000))))
