"""One browser, several people: who signs in is in, who signs out is out, and nothing is kept of the rest."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import httpx
import pytest

from backend.annotate.label_studio.process import OWNER
from tests.integration.access_people import (
    RETURN_URL,
    Work,
    enter_as_owner,
    owner_client,
    session_of,
    settle,
    sign_in_address,
)
from tests.integration.label_studio_server import RunningLabelStudio

pytestmark = pytest.mark.label_studio

_SESSION = "label_studio_session"


@pytest.fixture(scope="module")
def work(label_studio: RunningLabelStudio) -> Work:
    return settle(label_studio, key="annotator-1071", name="Amal", text="amals-session")


@pytest.fixture(scope="module")
def beas(label_studio: RunningLabelStudio) -> Work:
    return settle(label_studio, key="annotator-1072", name="Bea", text="beas-session")


@pytest.fixture
def browser(label_studio: RunningLabelStudio) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=label_studio.url, trust_env=False, timeout=60) as client:
        yield client


def _who(browser: httpx.Client) -> object:
    answer = browser.get("/api/current-user/whoami")
    return answer.json()["email"] if answer.is_success else answer.status_code


def _sessions(server: RunningLabelStudio) -> int:
    with closing(sqlite3.connect(server.instance.data_dir / "label_studio.sqlite3")) as connection:
        return int(connection.execute("SELECT count(*) FROM django_session").fetchone()[0])


def test_bea_signs_in_over_amals_session(
    browser: httpx.Client, label_studio: RunningLabelStudio, work: Work, beas: Work
) -> None:
    for each in (work, beas, beas, work):
        assert browser.get(sign_in_address(label_studio, each.user, "/")).status_code == 302
        assert _who(browser) == each.email
        assert browser.get(f"/api/projects/{each.project}").status_code == 200
    assert browser.get(f"/api/projects/{beas.project}").status_code == 404


def test_bea_signs_in_over_the_owners_session(
    browser: httpx.Client, label_studio: RunningLabelStudio, beas: Work
) -> None:
    assert enter_as_owner(browser, label_studio).status_code == 302
    assert _who(browser) == OWNER
    assert browser.get(sign_in_address(label_studio, beas.user, "/")).status_code == 302
    assert _who(browser) == beas.email
    assert browser.get("/api/projects/").status_code == 403


def test_the_owner_finds_the_way_out_of_an_annotators_session(
    browser: httpx.Client, label_studio: RunningLabelStudio, work: Work
) -> None:
    browser.get(sign_in_address(label_studio, work.user, "/"))
    page = browser.get("/user/login/", headers={"Accept": "text/html"})
    assert (page.status_code, '<a href="/logout/">Sign out</a>' in page.text) == (403, True)
    out = browser.get("/logout/")
    assert out.status_code == 302
    assert httpx.URL(out.headers["location"]).path == "/"
    assert browser.get("/").status_code == 401
    assert "Sign out" not in browser.get("/projects/", headers={"Accept": "text/html"}).text
    assert enter_as_owner(browser, label_studio).status_code == 302
    assert _who(browser) == OWNER


def test_who_has_signed_out_finds_the_way_back(label_studio: RunningLabelStudio, work: Work) -> None:
    with session_of(label_studio, work.user) as amal:
        assert amal.get("/logout").status_code == 302
        page = amal.get(f"/projects/{work.project}/data", headers={"Accept": "text/html"})
        assert (page.status_code, RETURN_URL in page.text) == (401, True)


def test_a_cookie_from_before_signing_out_opens_nothing(
    browser: httpx.Client, label_studio: RunningLabelStudio, work: Work
) -> None:
    browser.get(sign_in_address(label_studio, work.user, "/"))
    kept = {"Cookie": f"{_SESSION}={browser.cookies[_SESSION]}"}
    with httpx.Client(base_url=label_studio.url, trust_env=False, timeout=60, headers=kept) as thief:
        assert _who(thief) == work.email
        thief.cookies.clear()
        browser.get("/logout/")
        assert _who(thief) == 401


def test_only_people_who_signed_in_have_a_session(
    browser: httpx.Client, label_studio: RunningLabelStudio, work: Work
) -> None:
    before = _sessions(label_studio)
    with owner_client(label_studio) as owner:
        for path in ("/health/", "/user/login/", "/", "/api/projects/"):
            browser.get(path)
            owner.get(path)
    assert _SESSION not in browser.cookies
    assert _sessions(label_studio) == before
    browser.get(sign_in_address(label_studio, work.user, "/"))
    assert _sessions(label_studio) == before + 1
    browser.get("/logout/")
    assert _sessions(label_studio) == before
