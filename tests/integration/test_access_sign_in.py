"""Who may come in: annotators with a fresh ticket, the owner with password or token, nobody else."""

from __future__ import annotations

import base64
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing

import httpx
import pytest
from django.core import signing

from backend.annotate.label_studio.keys import SALT, access_key, webhook_secret
from backend.annotate.label_studio.process import OWNER
from tests.integration.access_people import (
    RETURN_URL,
    Work,
    csrf_pair,
    owner_client,
    session_of,
    settle,
    ticket,
)
from tests.integration.label_studio_server import RunningLabelStudio

pytestmark = pytest.mark.label_studio


@pytest.fixture(scope="module")
def work(label_studio: RunningLabelStudio) -> Work:
    return settle(label_studio, key="annotator-1021", name="Amal", text="signing-in")


@pytest.fixture
def visitor(label_studio: RunningLabelStudio) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=label_studio.url, trust_env=False, timeout=60) as client:
        yield client


def _enter(visitor: httpx.Client, signed: str) -> httpx.Response:
    return visitor.get("/attune/sign-in", params={"ticket": signed})


def test_a_ticket_opens_the_work_once(
    visitor: httpx.Client, label_studio: RunningLabelStudio, work: Work
) -> None:
    signed = ticket(label_studio, work.user, f"/projects/{work.project}/data?labeling=1")
    entered = _enter(visitor, signed)
    assert (entered.status_code, entered.headers["location"]) == (
        302,
        f"/projects/{work.project}/data?labeling=1",
    )
    assert visitor.get("/api/current-user/whoami").json()["id"] == work.user
    again = _enter(visitor, signed)
    assert (again.status_code, RETURN_URL in again.text) == (403, True)
    with httpx.Client(base_url=label_studio.url, trust_env=False, timeout=60) as thief:
        assert _enter(thief, signed).status_code == 403
        assert thief.get("/api/current-user/whoami").status_code == 401


def test_looking_at_a_ticket_does_not_use_it(
    visitor: httpx.Client, label_studio: RunningLabelStudio, work: Work
) -> None:
    signed = ticket(label_studio, work.user, "/")
    assert visitor.head("/attune/sign-in", params={"ticket": signed}).status_code == 405
    assert _enter(visitor, signed).status_code == 302


@pytest.mark.parametrize(
    "path", ["//evil.example", "https://evil.example/", "/\\evil.example", "evil", "", "javascript:1"]
)
def test_a_ticket_leads_nowhere_else(
    visitor: httpx.Client, label_studio: RunningLabelStudio, work: Work, path: str
) -> None:
    assert _enter(visitor, ticket(label_studio, work.user, path)).status_code == 403
    assert visitor.get("/api/current-user/whoami").status_code == 401


def test_forged_foreign_old_and_future_tickets_are_refused(
    visitor: httpx.Client, label_studio: RunningLabelStudio, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = label_studio.instance.token
    content = {"account": work.user, "next": "/", "nonce": "ab" * 16}
    forged = [
        signing.dumps(content, key=webhook_secret(token), salt=SALT),
        signing.dumps(content, key=access_key(token), salt="another"),
        signing.dumps(["no", "ticket"], key=access_key(token), salt=SALT),
        signing.dumps({**content, "nonce": "short"}, key=access_key(token), salt=SALT),
        ticket(label_studio, 1, "/"),
        ticket(label_studio, 10**9, "/"),
        "",
    ]
    now = time.time()
    for moment in (now - 61, now + 600, now + 3600):
        monkeypatch.setattr(time, "time", lambda moment=moment: moment)
        forged.append(ticket(label_studio, work.user, "/"))
    for signed in forged:
        answer = _enter(visitor, signed)
        assert (answer.status_code, "press the button again" in answer.text) == (403, True)
    assert visitor.get("/api/current-user/whoami").status_code == 401


def test_clocks_may_differ_by_a_little(
    visitor: httpx.Client, label_studio: RunningLabelStudio, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = time.time() + 3
    monkeypatch.setattr(time, "time", lambda: ahead)
    assert _enter(visitor, ticket(label_studio, work.user, "/")).status_code == 302


def test_strangers_find_nothing_not_even_a_log_in(
    visitor: httpx.Client, label_studio: RunningLabelStudio, work: Work
) -> None:
    assert visitor.get("/health/").status_code == 200
    # Nobody can try passwords where no password is asked for, the right one included.
    form = {"email": OWNER, "password": label_studio.instance.password, **csrf_pair(visitor)}
    assert visitor.post("/user/login/", data=form).status_code == 401
    assert visitor.get("/api/current-user/whoami").status_code == 401
    for path in (
        "/",
        "/user/login/",
        "/user/login",
        "/user/signup/",
        f"/projects/{work.project}/data",
        "/api/projects/",
        "/docs/api/schema/json/",
    ):
        assert visitor.get(path).status_code == 401
    page = visitor.get(f"/projects/{work.project}/data", headers={"Accept": "text/html"})
    assert (page.status_code, "signed out" in page.text, RETURN_URL in page.text) == (401, True, False)


def test_nobody_signs_up(visitor: httpx.Client, label_studio: RunningLabelStudio, work: Work) -> None:
    form = {"email": "eve@example.org", "password": "long-enough-1", **csrf_pair(visitor)}
    assert visitor.post("/user/signup/", data=form).status_code == 401
    with owner_client(label_studio) as owner:
        invitation = owner.get("/api/invite").json()["invite_url"]
    assert visitor.get(invitation).status_code == 401
    assert visitor.post(invitation, data=form).status_code == 401
    with session_of(label_studio, work.user) as amal:
        assert amal.get("/user/signup/").status_code == 403


def test_an_annotator_has_no_password(visitor: httpx.Client, work: Work) -> None:
    for password in ("", "!", "annotator-1021"):
        form = {"email": work.email, "password": password, **csrf_pair(visitor)}
        assert visitor.post("/user/login/", data=form).status_code == 401
    assert visitor.get("/api/current-user/whoami").status_code == 401


def test_an_admins_ticket_opens_label_studio_as_its_owner_once(
    visitor: httpx.Client, label_studio: RunningLabelStudio
) -> None:
    signed = ticket(label_studio, None, "/projects/")
    entered = _enter(visitor, signed)
    assert (entered.status_code, entered.headers["location"]) == (302, "/projects/")
    assert visitor.get("/api/current-user/whoami").json()["email"] == OWNER
    assert visitor.get("/projects/").status_code == 200
    with httpx.Client(base_url=label_studio.url, trust_env=False, timeout=60) as thief:
        assert _enter(thief, signed).status_code == 403


def test_only_the_owners_token_is_a_token(
    visitor: httpx.Client, label_studio: RunningLabelStudio, work: Work
) -> None:
    own_token = _token_of(label_studio, work.user)
    basic = base64.b64encode(f"{work.email}:{own_token}".encode()).decode()
    headers = [
        {"Authorization": f"Token {own_token}"},
        {"X-Api-Key": own_token},
        {"Authorization": f"Bearer {own_token}"},
        {"Authorization": f"Bearer {label_studio.instance.token}"},
        {"Authorization": f"Basic {basic}"},
        {"Authorization": ""},
        {"Authorization": f"token {label_studio.instance.token}x"},
    ]
    for header in headers:
        for path in ("/api/current-user/whoami", f"/api/projects/{work.project}/", "/api/projects/"):
            assert visitor.get(path, headers=header).status_code == 401, header
    with session_of(label_studio, work.user) as amal:
        assert amal.get("/api/current-user/whoami", headers=headers[0]).status_code == 401
        for path in (
            "/api/token/",
            "/api/token/refresh/",
            "/api/current-user/token",
            "/api/current-user/reset-token/",
        ):
            assert amal.get(path).status_code == 403
            assert amal.post(path, json={}).status_code == 403


def _token_of(server: RunningLabelStudio, user: int) -> str:
    """Label Studio gives every account a token, asked for or not."""
    with closing(sqlite3.connect(server.instance.data_dir / "label_studio.sqlite3")) as connection:
        found = connection.execute("SELECT key FROM authtoken_token WHERE user_id = ?", (user,)).fetchone()
    return str(found[0])
