"""Calls about studies and who takes part."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Field, Router, Schema, Status

from backend.core.accounts.access import user_of
from backend.core.accounts.models import User
from backend.core.studies import invitations, selectors, services
from backend.core.studies.access import MEMBER, RESEARCHER, studies_of, study_of
from backend.core.studies.models import Event, Invitation, Membership, Study, StudyRole

router = Router()
study_router = Router(auth=RESEARCHER)


class StudyOut(Schema):
    slug: str
    name: str
    description: str
    created_at: datetime
    remind_days_before: int | None
    archived_at: datetime | None


class StudyIn(Schema):
    name: str = Field(min_length=1, max_length=120)
    description: str = Field(default="", max_length=4000)


class StudyChange(StudyIn):
    remind_days_before: int | None = Field(
        default=None, ge=0, le=60, description="So many days before a batch is due annotators are reminded."
    )


class MemberOut(Schema):
    username: str = Field(alias="user.username")
    display_name: str = Field(alias="user.display_name")
    role: StudyRole
    added_at: datetime


class CandidateOut(Schema):
    username: str
    display_name: str


class MemberIn(Schema):
    role: StudyRole


class InvitationIn(Schema):
    role: StudyRole
    note: str = Field(default="", max_length=120, description="Whom it is for.")


class InvitationOut(Schema):
    id: int
    role: StudyRole
    note: str
    created_by: str = Field(alias="created_by.username")
    expires_at: datetime


class NewInvitationOut(InvitationOut):
    link: str = Field(description="Shown this one time; it lets one person in.")


class EventOut(Schema):
    at: datetime
    actor: str | None
    summary: str

    @staticmethod
    def resolve_actor(event: Event) -> str | None:
        return event.actor.username if event.actor else None


@router.get("", response=list[StudyOut])
def list_studies(request: HttpRequest, archived: bool = False) -> list[Study]:
    """Those in use; with `archived=true` those in the archive."""
    found = studies_of(user_of(request)).filter(archived_at__isnull=not archived)
    return list(found.order_by("name"))


@router.post("", response={201: StudyOut})
def create_study(request: HttpRequest, body: StudyIn) -> Status[Study]:
    study = services.create_study(
        name=body.name, description=body.description, created_by=user_of(request), now=timezone.now()
    )
    return Status(201, study)


@study_router.get("", auth=MEMBER, response=StudyOut)
def read_study(request: HttpRequest) -> Study:
    return study_of(request)


@study_router.put("", response=StudyOut)
def update_study(request: HttpRequest, body: StudyChange) -> Study:
    study = study_of(request)
    return services.update_study(study=study, actor=user_of(request), now=timezone.now(), **body.model_dump())


@study_router.get("members", response=list[MemberOut])
def list_members(request: HttpRequest) -> list[Membership]:
    return list(selectors.members(study_of(request)))


@study_router.get("members/candidates", response=list[CandidateOut])
def list_candidates(request: HttpRequest) -> list[User]:
    """Whom one can add."""
    return list(selectors.possible_members(study_of(request)))


@study_router.put("members/{username}", response=MemberOut)
def set_member(request: HttpRequest, username: str, body: MemberIn) -> Membership:
    """Adds a person or changes their role."""
    study = study_of(request)
    user = get_object_or_404(User, username=username, is_active=True)
    return services.set_member(
        study=study, user=user, role=body.role, actor=user_of(request), now=timezone.now()
    )


@study_router.delete("members/{username}", response={204: None})
def remove_member(request: HttpRequest, username: str) -> Status[None]:
    study = study_of(request)
    user = get_object_or_404(User, username=username, memberships__study=study)
    services.remove_member(study=study, user=user, actor=user_of(request), now=timezone.now())
    return Status(204, None)


@study_router.get("invitations", response=list[InvitationOut])
def list_invitations(request: HttpRequest) -> list[Invitation]:
    """Those that can still be used."""
    return list(invitations.open_invitations(study_of(request), now=timezone.now()))


@study_router.post("invitations", response={201: NewInvitationOut})
def invite(request: HttpRequest, body: InvitationIn) -> Status[NewInvitationOut]:
    made, link = invitations.invite(
        study=study_of(request), role=body.role, note=body.note, actor=user_of(request), now=timezone.now()
    )
    known = InvitationOut.from_orm(made).model_dump()
    return Status(201, NewInvitationOut.model_construct(**known, link=link))


@study_router.delete("invitations/{int:invitation_id}", response={204: None})
def withdraw_invitation(request: HttpRequest, invitation_id: int) -> Status[None]:
    invitations.withdraw_invitation(
        study=study_of(request), invitation_id=invitation_id, actor=user_of(request), now=timezone.now()
    )
    return Status(204, None)


@study_router.get("history", response=list[EventOut])
def history(request: HttpRequest, limit: int = 200) -> list[Event]:
    study = study_of(request)
    return list(selectors.recent_events(study, limit=max(1, min(limit, 5000))))
