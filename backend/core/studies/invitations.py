"""Links that make somebody a member of a study: made by its researchers, good once and for two weeks."""

from __future__ import annotations

import hashlib
import logging
import secrets
from datetime import datetime, timedelta
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse

from backend.core.accounts.models import AccountRole, User
from backend.core.accounts.services import create_account
from backend.core.studies.models import Invitation, Membership, Study, StudyRole
from backend.core.studies.services import StudyError, record_event, set_member

GOOD_FOR = timedelta(days=14)
logger = logging.getLogger(__name__)


class InvitationUnusable(StudyError):
    """The link does not, or no longer, let anybody in; the message says why."""


class InvitationNotSent(StudyError):
    """The invitation is there, but its e-mail could not be sent."""


@transaction.atomic
def invite(*, study: Study, role: StudyRole, note: str, actor: User, now: datetime) -> tuple[Invitation, str]:
    """Gives the link too: this is the only time that it can be seen."""
    token = secrets.token_urlsafe(24)
    invitation = Invitation.objects.create(
        study=study,
        role=role,
        token_hash=_hash(token),
        note=note.strip(),
        created_by=actor,
        created_at=now,
        expires_at=now + GOOD_FOR,
    )
    record_event(study=study, actor=actor, summary=f"Invited a new {role.label.lower()} by a link", now=now)
    return invitation, settings.PUBLIC_URL + reverse("studies:invitation", args=[token])


def send_invitation(invitation: Invitation, link: str, *, address: str) -> None:
    """Raises InvitationNotSent."""
    study, actor = invitation.study, invitation.created_by
    text = (
        f"{actor} invites you to the study “{study.name}” as {invitation.get_role_display().lower()}.\n\n{link}\n\n"
        f"The link is good for one person, until {invitation.expires_at:%d %B %Y}."
    )
    try:
        send_mail(f"Invitation to {study.name}", text, settings.DEFAULT_FROM_EMAIL, [address])
    except (SMTPException, OSError) as problem:
        logger.warning("An invitation could not be sent: %s", type(problem).__name__)
        raise InvitationNotSent(
            "The e-mail could not be sent. Copy the link and send it yourself; an admin can check ATTUNE_SMTP_URL."
        ) from problem


def open_invitations(study: Study, *, now: datetime) -> QuerySet[Invitation]:
    """Newest first."""
    waiting = study.invitations.filter(used_at=None, withdrawn_at=None, expires_at__gt=now)
    return waiting.select_related("created_by").order_by("-created_at", "-pk")


def invitation_of(token: str, *, now: datetime) -> Invitation:
    """Raises InvitationUnusable."""
    found = Invitation.objects.select_related("study", "created_by").filter(token_hash=_hash(token)).first()
    if found is None:
        raise InvitationUnusable("There is no such invitation: was the whole link copied?")
    if found.used_at is not None:
        raise InvitationUnusable("This invitation was used. Log in, or ask for another one.")
    if found.withdrawn_at is not None:
        raise InvitationUnusable("This invitation was withdrawn. Ask for another one.")
    if found.expires_at <= now:
        raise InvitationUnusable("This invitation has expired. Ask for another one.")
    return found


@transaction.atomic
def accept_invitation(*, token: str, user: User, now: datetime) -> Study:
    """Adds a role to those that somebody has, and takes none away. Raises InvitationUnusable, StudyError."""
    invitation = invitation_of(token, now=now)
    # Of two who open it at once one gets in
    unused = Invitation.objects.filter(pk=invitation.pk, used_at=None, withdrawn_at=None)
    if not unused.update(used_at=now, used_by=user):
        raise InvitationUnusable("This invitation was used a moment ago. Ask for another one.")
    known = Membership.objects.filter(study=invitation.study, user=user).first()
    asked, had = StudyRole(invitation.role), StudyRole(known.role) if known else None
    role = asked if had is None else had.with_role(asked)
    if role != had:
        set_member(study=invitation.study, user=user, role=role, actor=invitation.created_by, now=now)
    return invitation.study


@transaction.atomic
def join_with_new_account(
    *, token: str, username: str, display_name: str, password: str, now: datetime
) -> tuple[User, Study]:
    """Raises InvitationUnusable, AccountError, ValidationError."""
    invited = StudyRole(invitation_of(token, now=now).role)
    role = AccountRole.RESEARCHER if invited.researches else AccountRole.ANNOTATOR
    user = create_account(username=username, display_name=display_name, role=role, password=password)
    return user, accept_invitation(token=token, user=user, now=now)


@transaction.atomic
def withdraw_invitation(*, study: Study, invitation_id: int, actor: User, now: datetime) -> None:
    waiting = open_invitations(study, now=now).filter(pk=invitation_id)
    if not waiting.update(withdrawn_at=now):
        raise InvitationUnusable("This invitation is not open any more.")
    record_event(study=study, actor=actor, summary="Withdrew an invitation", now=now)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
