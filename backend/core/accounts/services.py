"""What changes accounts and tokens."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from axes.utils import reset as reset_failed_log_ins
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import default_token_generator
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from backend.core.accounts.models import AccountRole, ApiToken, User

TOKEN_PREFIX = "attune_"
USE_RECORDED_EVERY = timedelta(minutes=1)


class AccountError(Exception):
    """A change to accounts that cannot be made; the message says why."""


def create_account(
    *, username: str, display_name: str, role: AccountRole, password: str, email: str = ""
) -> User:
    """The password is checked by the same rules as one a person chooses. An e-mail is one that an admin vouches for."""
    email = _free_email(email)
    user = User(
        username=username,
        display_name=display_name,
        role=role,
        email=email,
        email_is_verified=bool(email),
    )
    User.username_validator(username)
    if User.objects.filter(username__iexact=username).exists():
        raise AccountError(f"There is already an account named {username}.")
    validate_password(password, user)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        raise AccountError(f"There is already an account named {username}.") from None
    return user


def _free_email(email: str, *, of: User | None = None) -> str:
    """By it people are recognised, so it is one person's alone."""
    found = email.strip().lower()
    others = User.objects.exclude(pk=of.pk) if of else User.objects.all()
    if found and others.filter(email__iexact=found, email_is_verified=True).exists():
        raise AccountError(f"{found} is another account's e-mail already.")
    return found


@transaction.atomic
def set_email(*, user: User, email: str, is_verified: bool) -> User:
    """Verified if an admin gives it; what people type about themselves only gets them reminders."""
    email = _free_email(email, of=user)
    if email == user.email:
        return user
    user.email, user.email_is_verified = email, is_verified and bool(email)
    user.save(update_fields=["email", "email_is_verified"])
    return user


def suggest_password() -> str:
    """Short words of random letters: enough entropy (80 bits), easy to read out."""
    return "-".join(secrets.token_hex(2) for _ in range(5))


@transaction.atomic
def reset_password(*, user: User, now: datetime) -> str:
    """A new password to hand over. Sessions of before end too."""
    password = suggest_password()
    user.set_password(password)
    user.save(update_fields=["password"])
    forget_log_ins(user, now=now)
    return password


def reset_link(user: User) -> str:
    """Where the person chooses a new password: good once, for three days, and only while the old one stands."""
    number = urlsafe_base64_encode(force_bytes(user.pk))
    token = default_token_generator.make_token(user)
    return settings.PUBLIC_URL + reverse("accounts:choose_password", args=[number, token])


@transaction.atomic
def forget_log_ins(user: User, *, now: datetime) -> None:
    """After another password: tokens of before end, and log-in opens again if it was closed."""
    ApiToken.objects.filter(user=user, revoked_at=None).update(revoked_at=now)
    reset_failed_log_ins(username=user.username)


@transaction.atomic
def change_account(*, user: User, role: AccountRole, is_active: bool) -> User:
    admins = {
        admin.pk for admin in User.objects.select_for_update().filter(role=AccountRole.ADMIN, is_active=True)
    }
    locked = User.objects.select_for_update().get(pk=user.pk)
    stays_admin = role == AccountRole.ADMIN and is_active
    if not stays_admin and admins == {locked.pk}:
        raise AccountError(f"{locked} is the last admin: make someone else an admin first.")
    locked.role = role
    locked.is_active = is_active
    locked.save(update_fields=["role", "is_active"])
    return locked


def create_token(*, user: User, name: str, now: datetime) -> tuple[ApiToken, str]:
    """Returns the token's text too: this is the only time that it can be seen."""
    text = TOKEN_PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user, name=name, token_hash=_hash(text), hint=text[:11], created_at=now
    )
    return token, text


def revoke_token(*, user: User, token_id: int, now: datetime) -> bool:
    changed = ApiToken.objects.filter(pk=token_id, user=user, revoked_at=None).update(revoked_at=now)
    return changed == 1


def user_of_token(text: str, *, now: datetime) -> User | None:
    """The active owner of a live token; its use is noted at most once a minute."""
    token = (
        ApiToken.objects.select_related("user")
        .filter(token_hash=_hash(text), revoked_at=None, user__is_active=True)
        .first()
    )
    if token is None:
        return None
    if token.last_used_at is None or now - token.last_used_at > USE_RECORDED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token.user


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
