"""Log-in with an account from elsewhere, against a provider that runs as a process of its own."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from backend.core.accounts.models import AccountRole, User
from backend.core.accounts.services import set_email
from backend.core.single_sign_on.models import Identity
from backend.core.studies.access import role_in
from backend.core.studies.invitations import invite
from backend.core.studies.models import StudyRole
from tests.backend.core.studies.test_access import client_of
from tests.cast import Cast
from tests.oidc_provider import CLIENT, SECRET
from tests.page_text import page_text

pytestmark = pytest.mark.django_db
PROGRAM = Path(__file__).parents[3] / "oidc_provider.py"


@dataclass(frozen=True)
class Provider:
    issuer: str

    def is_now(self, **person: object) -> None:
        """Whom it says that somebody is who comes next."""
        httpx.post(f"{self.issuer}/person", json={"sub": "1", "email_verified": True} | person)

    def sends_back(self, client: Client, next_path: str = "") -> str:
        """Where a browser is sent that went there from Attune; the provider asked nothing."""
        begun = client.get("/sign-in", {"next": next_path} if next_path else {})
        assert begun.status_code == 302, page_text(begun)
        location = httpx.get(begun.headers["Location"]).headers["Location"]
        return location.removeprefix("http://127.0.0.1:8000")

    def log_in(self, client: Client, next_path: str = "") -> HttpResponse:
        return client.get(self.sends_back(client, next_path))  # type: ignore[return-value]


@pytest.fixture(scope="session")
def running() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([sys.executable, str(PROGRAM), str(port)]) as process:
        issuer = f"http://127.0.0.1:{port}"
        for _ in range(200):
            try:
                httpx.get(f"{issuer}/keys")
                break
            except httpx.HTTPError:
                time.sleep(0.05)
        yield issuer
        process.terminate()


@pytest.fixture
def provider(running: str, settings: Settings) -> Provider:
    settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = running, CLIENT, SECRET
    settings.OIDC_NAME, settings.OIDC_CREATE_ACCOUNTS = "Example University", False
    settings.PUBLIC_URL = "http://127.0.0.1:8000"
    return Provider(running)


def who(client: Client) -> str:
    answer = client.get("/api/v1/me")
    return str(answer.json()["username"]) if answer.status_code == 200 else ""


def test_it_is_off_by_default(cast: Cast) -> None:
    assert "Log in with" not in page_text(Client().get("/log-in"))
    assert Client().get("/sign-in").status_code == Client().get("/sign-in/done").status_code == 404


def test_an_account_is_known_by_its_verified_email_and_then_by_its_subject(
    cast: Cast, provider: Provider
) -> None:
    set_email(user=cast.amal, email="Amal@example.org", is_verified=True)
    client = Client()
    assert "Log in with Example University" in page_text(client.get("/log-in"))
    provider.is_now(sub="a-1", email="amal@example.org")
    answer = provider.log_in(client, "/studies/kind-words/work")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/studies/kind-words/work")
    assert who(client) == "amal"
    provider.is_now(sub="a-1", email="married@example.org")
    again = Client()
    provider.log_in(again)
    assert who(again) == "amal"
    assert Identity.objects.get().user == cast.amal


@pytest.mark.parametrize("flaw", ["signature", "nonce", "audience", "issuer", "time"])
def test_an_answer_that_is_not_sound_logs_nobody_in(cast: Cast, provider: Provider, flaw: str) -> None:
    set_email(user=cast.amal, email="amal@example.org", is_verified=True)
    provider.is_now(email="amal@example.org", flaw=flaw)
    client = Client()
    answer = provider.log_in(client)
    assert answer.status_code == 400 and "Nothing was changed" in page_text(answer)
    assert who(client) == "" and not Identity.objects.exists()


def test_the_state_binds_the_answer_to_the_browser(cast: Cast, provider: Provider) -> None:
    set_email(user=cast.amal, email="amal@example.org", is_verified=True)
    provider.is_now(email="amal@example.org")
    address = provider.sends_back(Client())
    other = Client()
    provider.sends_back(other)
    assert other.get(address).status_code == 400 and who(other) == ""
    code = parse_qs(urlsplit(address).query)["code"][0]
    assert Client().get(f"/sign-in/done?code={code}&state=made-up").status_code == 400


def test_an_address_that_nobody_verified_is_nobodys(cast: Cast, provider: Provider) -> None:
    set_email(user=cast.amal, email="amal@example.org", is_verified=True)
    provider.is_now(email="amal@example.org", email_verified=False)
    answer = provider.log_in(Client())
    assert answer.status_code == 403 and "nobody has invited you" in page_text(answer)
    set_email(user=cast.bea, email="chief@example.org", is_verified=False)
    provider.is_now(sub="2", email="chief@example.org")
    assert provider.log_in(Client()).status_code == 403, "what somebody typed about themselves proves nothing"


def test_who_is_not_invited_is_told_so_or_made_where_that_is_set(
    cast: Cast, provider: Provider, settings: Settings
) -> None:
    provider.is_now(sub="new", email="dee@example.org", name="Dee", preferred_username="amal")
    assert provider.log_in(Client()).status_code == 403
    assert not User.objects.filter(email="dee@example.org").exists()
    settings.OIDC_CREATE_ACCOUNTS = True
    client = Client()
    provider.log_in(client)
    made = User.objects.get(email="dee@example.org")
    assert (who(client), made.role, made.has_usable_password()) == ("amal-2", AccountRole.ANNOTATOR, False)
    assert not made.memberships.exists()


def test_an_invitation_makes_the_account_with_its_role(cast: Cast, provider: Provider) -> None:
    now = timezone.now()
    _, link = invite(study=cast.study, role=StudyRole.BOTH, note="", actor=cast.rosa, now=now)
    path = link.removeprefix("http://127.0.0.1:8000")
    client = Client()
    assert "Join with Example University" in page_text(client.get(path))
    provider.is_now(sub="d", email="dee@example.org", name="Dee")
    assert provider.log_in(client, path).headers["Location"] == path
    client.post(path)
    dee = User.objects.get(username="dee")
    assert (dee.role, role_in(dee, cast.study)) == (AccountRole.RESEARCHER, StudyRole.RESEARCHER)


def test_who_is_logged_in_connects_and_disconnects(cast: Cast, provider: Provider) -> None:
    cast.amal.set_unusable_password()
    cast.amal.save()
    amal = client_of(cast.amal)
    provider.is_now(sub="a-9", email="other@example.org")
    assert provider.log_in(amal).headers["Location"] == "/account"
    assert "Connected" in page_text(amal.get("/account"))
    bea = client_of(cast.bea)
    assert provider.log_in(bea).status_code == 403, "it is Amal's"
    amal.post("/sign-in/disconnect")
    assert Identity.objects.exists(), "without a password she could not log in any more"
    cast.amal.set_password("a long password")
    cast.amal.save()
    amal.force_login(cast.amal)
    amal.post("/sign-in/disconnect")
    assert not Identity.objects.exists()


def test_log_out_ends_the_session_there_too(cast: Cast, provider: Provider) -> None:
    set_email(user=cast.amal, email="amal@example.org", is_verified=True)
    provider.is_now(email="amal@example.org")
    client = Client()
    provider.log_in(client)
    address = client.post("/log-out").headers["Location"]
    asked = parse_qs(urlsplit(address).query)
    assert address.startswith(f"{provider.issuer}/end?") and asked["post_logout_redirect_uri"][0].endswith(
        "/log-in"
    )
    assert who(client) == ""
    assert client_of(cast.bea).post("/log-out").headers["Location"] == "/log-in"


def test_a_closed_account_stays_closed_and_no_foreign_address_is_gone_to(
    cast: Cast, provider: Provider
) -> None:
    set_email(user=cast.amal, email="amal@example.org", is_verified=True)
    provider.is_now(email="amal@example.org")
    answer = provider.log_in(Client(), "https://evil.example/")
    assert answer.headers["Location"] != "https://evil.example/"
    User.objects.filter(pk=cast.amal.pk).update(is_active=False)
    assert "closed" in page_text(provider.log_in(Client()))


def test_a_provider_that_is_away_is_told(cast: Cast, provider: Provider, settings: Settings) -> None:
    settings.OIDC_ISSUER = "http://127.0.0.1:9"
    assert Client().get("/sign-in").status_code == 400
