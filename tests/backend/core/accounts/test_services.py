"""Tokens are shown once and kept as hashes; there is always an admin."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from backend.core.accounts import services
from backend.core.accounts.models import AccountRole, ApiToken
from tests.cast import NOW, Cast


def test_a_token_opens_the_door_for_its_owner_until_revoked(cast: Cast) -> None:
    token, text = services.create_token(user=cast.rosa, name="notebook", now=NOW)
    assert services.user_of_token(text, now=NOW) == cast.rosa
    assert services.revoke_token(user=cast.rosa, token_id=token.pk, now=NOW)
    assert services.user_of_token(text, now=NOW) is None


def test_the_text_of_a_token_is_not_stored(cast: Cast) -> None:
    _, text = services.create_token(user=cast.rosa, name="notebook", now=NOW)
    row = ApiToken.objects.values_list("token_hash", "hint", "name").get()
    assert text not in " ".join(row)
    assert services.user_of_token(text[:-1] + "x", now=NOW) is None


def test_nobody_revokes_a_token_of_someone_else(cast: Cast) -> None:
    token, text = services.create_token(user=cast.rosa, name="notebook", now=NOW)
    assert not services.revoke_token(user=cast.otto, token_id=token.pk, now=NOW)
    assert services.user_of_token(text, now=NOW) == cast.rosa


def test_a_token_of_a_closed_account_is_dead(cast: Cast) -> None:
    _, text = services.create_token(user=cast.rosa, name="notebook", now=NOW)
    services.change_account(user=cast.rosa, role=AccountRole.RESEARCHER, is_active=False)
    assert services.user_of_token(text, now=NOW) is None


def test_use_of_a_token_is_noted_once_a_minute(cast: Cast) -> None:
    token, text = services.create_token(user=cast.rosa, name="notebook", now=NOW)
    for seconds, expected in ((0, 0), (30, 0), (90, 90)):
        services.user_of_token(text, now=NOW + timedelta(seconds=seconds))
        token.refresh_from_db()
        assert token.last_used_at == NOW + timedelta(seconds=expected)


def test_the_last_admin_cannot_be_demoted_or_locked_out(cast: Cast) -> None:
    for role, is_active in ((AccountRole.RESEARCHER, True), (AccountRole.ADMIN, False)):
        with pytest.raises(services.AccountError, match="last admin"):
            services.change_account(user=cast.ada, role=role, is_active=is_active)


def test_a_name_differing_only_in_case_is_taken(cast: Cast) -> None:
    with pytest.raises(services.AccountError, match="already"):
        services.create_account(
            username="ROSA", display_name="", role=AccountRole.ANNOTATOR, password=services.suggest_password()
        )


def test_weak_passwords_are_refused(db: None) -> None:
    with pytest.raises(ValidationError):
        services.create_account(
            username="dora", display_name="", role=AccountRole.ANNOTATOR, password="password"
        )


def test_a_reset_password_works_and_the_old_one_does_not(cast: Cast) -> None:
    _, token = services.create_token(user=cast.bea, name="notebook", now=NOW)
    old = services.reset_password(user=cast.bea, now=NOW)
    new = services.reset_password(user=cast.bea, now=NOW)
    cast.bea.refresh_from_db()
    assert cast.bea.check_password(new)
    assert not cast.bea.check_password(old)
    assert services.user_of_token(token, now=NOW) is None
