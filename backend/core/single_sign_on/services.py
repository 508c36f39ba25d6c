"""Finds whose account somebody means who comes from the provider, and makes one where that is allowed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import IntegrityError, transaction
from django.urls import Resolver404, resolve

from backend.core.accounts.models import AccountRole, User
from backend.core.single_sign_on.models import Identity
from backend.core.studies.invitations import InvitationUnusable, invitation_of
from backend.core.studies.models import StudyRole


class SignInRefused(Exception):
    """Nobody is logged in; the message says why."""


@dataclass(frozen=True, slots=True)
class Claims:
    """What the provider says of somebody, after its signature was checked; the e-mail only if it is verified."""

    issuer: str
    subject: str
    email: str
    name: str
    username: str

    @classmethod
    def of(cls, claims: Mapping[str, object]) -> Claims:
        is_verified = claims.get("email_verified") is True
        return cls(
            issuer=str(claims["iss"]),
            subject=str(claims["sub"]),
            email=str(claims.get("email") or "").strip().lower() if is_verified else "",
            name=str(claims.get("name") or ""),
            username=str(claims.get("preferred_username") or ""),
        )


@transaction.atomic
def user_for(claims: Claims, *, next_path: str, now: datetime) -> User:
    """By the subject, else by the verified e-mail, else a new account for whoever was invited. Raises SignInRefused."""
    known = (
        Identity.objects.select_related("user").filter(issuer=claims.issuer, subject=claims.subject).first()
    )
    user = known.user if known else _of_email(claims.email) or _new_account(claims, next_path, now)
    if user is None:
        raise SignInRefused(
            "Your account is known there, but nobody has invited you to Attune. Ask a researcher for an invitation "
            "link, and open it before you log in. If you have an account here already, log in with its password and "
            "connect the two under “Your account”."
        )
    if not user.is_active:
        raise SignInRefused("Your account here is closed. An admin can open it again.")
    if known is None:
        link(user=user, claims=claims, now=now)
    return user


def link(*, user: User, claims: Claims, now: datetime) -> Identity:
    """Raises SignInRefused if one of the two is connected otherwise."""
    known = Identity.objects.filter(issuer=claims.issuer, subject=claims.subject).first()
    if known is not None and known.user_id == user.pk:
        return known
    try:
        with transaction.atomic():
            return Identity.objects.create(
                user=user, issuer=claims.issuer, subject=claims.subject, linked_at=now
            )
    except IntegrityError:
        raise SignInRefused(
            "The two accounts cannot be connected: one of them is connected with another one already."
        ) from None


def unlink(*, user: User) -> bool:
    """Only who has a password can still log in afterwards. Whether anything was connected."""
    if not user.has_usable_password():
        raise SignInRefused("Ask an admin for a password first: without one you could not log in any more.")
    deleted, _ = Identity.objects.filter(user=user).delete()
    return bool(deleted)


def _of_email(email: str) -> User | None:
    """Only an address that an admin or the provider gave: anybody could have typed another's as their own."""
    if not email:
        return None
    return User.objects.filter(email__iexact=email, email_is_verified=True).first()


def _new_account(claims: Claims, next_path: str, now: datetime) -> User | None:
    role = _invited_role(next_path, now) or (AccountRole.ANNOTATOR if settings.OIDC_CREATE_ACCOUNTS else None)
    if role is None:
        return None
    user = User(
        username=_free_username(claims),
        display_name=claims.name[:120],
        role=role,
        email=claims.email,
        email_is_verified=bool(claims.email),
    )
    user.set_unusable_password()
    user.save()
    return user


def _invited_role(next_path: str, now: datetime) -> AccountRole | None:
    """By the link that they opened before, which still has to be accepted."""
    try:
        match = resolve(next_path)
    except Resolver404:
        return None
    if match.view_name != "studies:invitation":
        return None
    try:
        role = StudyRole(invitation_of(match.kwargs["token"], now=now).role)
    except InvitationUnusable:
        return None
    return AccountRole.RESEARCHER if role.researches else AccountRole.ANNOTATOR


def _free_username(claims: Claims) -> str:
    wanted = claims.username or claims.email.partition("@")[0] or "member"
    base = re.sub(r"[^\w.@+-]", "-", wanted)[:140].strip("-") or "member"
    taken = {
        name.lower()
        for name in User.objects.filter(username__istartswith=base).values_list("username", flat=True)
    }
    if base.lower() not in taken:
        return base
    return next(
        name for number in range(2, len(taken) + 3) if (name := f"{base}-{number}").lower() not in taken
    )
