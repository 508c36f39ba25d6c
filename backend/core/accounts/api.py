"""Calls about oneself, and about accounts for admins."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Field, Router, Schema, Status

from backend.core.accounts import selectors, services
from backend.core.accounts.access import ADMIN, user_of
from backend.core.accounts.models import AccountRole, User

router = Router()


class AccountOut(Schema):
    id: int
    username: str
    display_name: str
    email: str
    role: AccountRole
    is_active: bool
    last_login: datetime | None


class AccountIn(Schema):
    username: str = Field(max_length=150)
    display_name: str = Field(max_length=120)
    email: str = Field(
        default="", max_length=254, description="By it log-in with another account recognises them."
    )
    role: AccountRole


class NewAccountOut(Schema):
    account: AccountOut
    password: str = Field(description="To hand over; it cannot be read again.")


class AccountChange(Schema):
    role: AccountRole
    is_active: bool
    email: str | None = Field(default=None, max_length=254, description="As it is, if left out.")


@router.get("me", response=AccountOut)
def me(request: HttpRequest) -> User:
    """Who this token or session belongs to."""
    return user_of(request)


@router.get("people", auth=ADMIN, response=list[AccountOut])
def list_people(request: HttpRequest) -> list[User]:
    return list(selectors.accounts())


@router.post("people", auth=ADMIN, response={201: NewAccountOut})
def add_person(request: HttpRequest, body: AccountIn) -> Status[dict[str, User | str]]:
    password = services.suggest_password()
    account = services.create_account(
        username=body.username,
        display_name=body.display_name,
        role=body.role,
        password=password,
        email=body.email,
    )
    return Status(201, {"account": account, "password": password})


@router.put("people/{user_id}", auth=ADMIN, response=AccountOut)
def change_person(request: HttpRequest, user_id: int, body: AccountChange) -> User:
    user = get_object_or_404(User, pk=user_id)
    changed = services.change_account(user=user, role=body.role, is_active=body.is_active)
    if body.email is None:
        return changed
    return services.set_email(user=changed, email=body.email, is_verified=True)


@router.post("people/{user_id}/password", auth=ADMIN, response=NewAccountOut)
def reset_password(request: HttpRequest, user_id: int) -> dict[str, User | str]:
    user = get_object_or_404(User, pk=user_id)
    return {"account": user, "password": services.reset_password(user=user, now=timezone.now())}
