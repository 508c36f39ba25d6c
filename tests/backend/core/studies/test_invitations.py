"""Links that make somebody a member: once, for two weeks, with an account or without."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from backend.core.accounts.models import AccountRole, User
from backend.core.accounts.services import create_token, reset_link, user_of_token
from backend.core.studies.access import role_in
from backend.core.studies.invitations import (
    GOOD_FOR,
    InvitationUnusable,
    accept_invitation,
    invitation_of,
    invite,
    withdraw_invitation,
)
from backend.core.studies.models import Invitation, StudyRole
from tests.backend.core.studies.test_access import client_of
from tests.cast import Cast, person
from tests.page_text import page_text

pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.both_databases]
MEMBERS = "/studies/kind-words/members"
PASSWORD = "a-longer-word-7"


def token_for(cast: Cast, role: StudyRole = StudyRole.ANNOTATOR, now: datetime | None = None) -> str:
    _, link = invite(study=cast.study, role=role, note="", actor=cast.rosa, now=now or timezone.now())
    return link.rpartition("/")[2]


def test_a_stranger_makes_an_account_and_joins(cast: Cast) -> None:
    shown = page_text(
        client_of(cast.rosa).post("/studies/kind-words/invitations", {"roles": ["annotator"], "note": "Dee"})
    )
    found = re.search(r"http://[^ <]+/invitations/([\w-]+)", shown)
    assert found and "shown this one time only" in shown and "Dee" in shown
    stranger = Client()
    page = f"/invitations/{found[1]}"
    assert "Rosa invites you to this study as annotator" in page_text(stranger.get(page))
    weak = page_text(stranger.post(page, {"username": "dee", "display_name": "Dee", "password": "1234"}))
    assert "too short" in weak and not User.objects.filter(username="dee").exists()
    entered = stranger.post(
        page, {"username": "dee", "display_name": "Dee", "password": PASSWORD}, follow=True
    )
    assert "Welcome to “Kind words”" in page_text(entered)
    dee = User.objects.get(username="dee")
    assert (dee.role, role_in(dee, cast.study)) == (AccountRole.ANNOTATOR, StudyRole.ANNOTATOR)
    again = Client().get(page)
    assert again.status_code == 404 and "was used" in page_text(again)


def test_who_has_an_account_joins_with_it(cast: Cast) -> None:
    page = f"/invitations/{token_for(cast)}"
    client = client_of(cast.otto)
    assert "You are logged in as <strong>Otto</strong>" in page_text(client.get(page))
    assert role_in(cast.otto, cast.study) is None
    client.post(page)
    assert role_in(cast.otto, cast.study) == StudyRole.ANNOTATOR


def test_a_taken_name_leaves_the_invitation_open(cast: Cast) -> None:
    token = token_for(cast)
    given = {"username": "Bea", "display_name": "B", "password": PASSWORD}
    assert "already an account" in page_text(Client().post(f"/invitations/{token}", given))
    assert invitation_of(token, now=timezone.now()).used_at is None


def test_a_researcher_is_not_made_an_annotator_by_a_link(cast: Cast) -> None:
    accept_invitation(token=token_for(cast), user=cast.rosa, now=timezone.now())
    assert role_in(cast.rosa, cast.study) == StudyRole.RESEARCHER


def test_an_annotators_account_cannot_accept_for_researchers(cast: Cast) -> None:
    page = f"/invitations/{token_for(cast, StudyRole.RESEARCHER)}"
    assert "cannot be a researcher" in page_text(client_of(person("gil", AccountRole.ANNOTATOR)).post(page))
    assert not Invitation.objects.exclude(used_at=None).exists()


def test_links_expire_and_can_be_withdrawn(cast: Cast) -> None:
    now = timezone.now()
    late, gone = token_for(cast, now=now - GOOD_FOR), token_for(cast, now=now)
    with pytest.raises(InvitationUnusable, match="expired"):
        accept_invitation(token=late, user=cast.otto, now=now)
    made = Invitation.objects.latest("pk")
    assert client_of(cast.rosa).post(f"/studies/kind-words/invitations/{made.pk}/withdraw").status_code == 302
    with pytest.raises(InvitationUnusable, match="withdrawn"):
        accept_invitation(token=gone, user=cast.otto, now=now)
    with pytest.raises(InvitationUnusable, match="not open any more"):
        withdraw_invitation(study=cast.study, invitation_id=made.pk, actor=cast.rosa, now=now)
    with pytest.raises(InvitationUnusable, match="whole link"):
        invitation_of("no-such-token", now=now)


def test_only_researchers_invite(cast: Cast) -> None:
    asked = {"role": "researcher"}
    assert client_of(cast.amal).post("/studies/kind-words/invitations", asked).status_code == 403
    assert client_of(cast.otto).post("/studies/kind-words/invitations", asked).status_code == 404
    assert not Invitation.objects.exists()


def test_the_link_is_not_in_the_database(cast: Cast) -> None:
    token = token_for(cast)
    assert token not in str(Invitation.objects.values().get())


def test_an_invitation_is_sent_where_there_is_a_mail_server(cast: Cast, settings: Settings) -> None:
    assert "E-mail" not in page_text(client_of(cast.rosa).get(MEMBERS))
    settings.EMAIL_HOST = "mail.invalid"
    client_of(cast.rosa).post(
        "/studies/kind-words/invitations", {"roles": ["annotator"], "email": "d@example.org"}
    )
    (sent,) = mail.outbox
    assert sent.to == ["d@example.org"] and "/invitations/" in sent.body


def test_a_mail_server_that_is_away_leaves_the_link(cast: Cast, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    asked = {"roles": ["annotator"], "email": "d@example.org"}
    shown = page_text(client_of(cast.rosa).post("/studies/kind-words/invitations", asked))
    assert "could not be sent" in shown and "/invitations/" in shown


def test_calls_invite_list_and_withdraw(cast: Cast) -> None:
    _, token = create_token(user=cast.rosa, name="t", now=timezone.now())
    client, calls = (
        Client(headers={"Authorization": f"Bearer {token}"}),
        "/api/v1/studies/kind-words/invitations",
    )
    made = client.post(calls, {"role": "annotator", "note": "Dee"}, content_type="application/json").json()
    assert "/invitations/" in made["link"]
    (listed,) = client.get(calls).json()
    assert (listed["id"], listed["note"], "link" in listed) == (made["id"], "Dee", False)
    assert client.delete(f"{calls}/{made['id']}").status_code == 204
    assert client.get(calls).json() == []


def test_a_reset_link_lets_one_choose_a_password_once(cast: Cast) -> None:
    _, token = create_token(user=cast.bea, name="t", now=timezone.now())
    shown = page_text(client_of(cast.ada).post(f"/people/{cast.bea.pk}/reset-link"))
    found = re.search(r"http://[^ <]+(/choose-password/[\w-]+/[\w-]+)", shown)
    assert found
    bea = Client()
    at = bea.get(found[1], follow=True).redirect_chain[-1][0]
    answered = bea.post(at, {"new_password1": PASSWORD, "new_password2": PASSWORD}, follow=True)
    assert "Your password is changed" in page_text(answered)
    cast.bea.refresh_from_db()
    assert cast.bea.check_password(PASSWORD)
    assert user_of_token(token, now=timezone.now()) is None
    assert "This link does not work" in page_text(Client().get(found[1], follow=True))


def test_only_admins_make_reset_links(cast: Cast) -> None:
    assert client_of(cast.rosa).post(f"/people/{cast.bea.pk}/reset-link").status_code == 403
    assert reset_link(cast.bea) != reset_link(cast.amal)
    assert timedelta(days=14) == GOOD_FOR
