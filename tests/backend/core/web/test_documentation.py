"""The documentation under /docs: pages, what they load, and nothing from outside their folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.http.response import HttpResponseBase
from django.test import Client
from pytest_django.fixtures import Settings


@pytest.fixture
def site(docs_site: Path, settings: Settings) -> Path:
    settings.DOCS_DIR = docs_site
    return docs_site


def _body(response: HttpResponseBase) -> bytes:
    assert response.status_code == 200
    return b"".join(response)


def test_a_page_is_served_before_log_in(client: Client, site: Path) -> None:
    assert client.get("/docs").headers["Location"] == "/docs/index.html"
    assert client.get("/docs/").headers["Location"] == "/docs"
    page = client.get("/docs/agreement.html")
    assert page.headers["Content-Type"] == "text/html"
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    assert b"<h1" in _body(page)


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("docs.css", "text/css"),
        ("look/attune/tokens.css", "text/css"),
        ("search/main.js", "text/javascript"),
        ("search/search_index.json", "application/json"),
        ("pictures/decide-dark.png", "image/png"),
    ],
)
def test_what_it_loads_is_served(client: Client, site: Path, file: str, kind: str) -> None:
    found = client.get(f"/docs/{file}")
    assert found.headers["Content-Type"] == kind
    assert _body(found) == (site / file).read_bytes()


@pytest.mark.parametrize(
    "file",
    [
        "nothing.html",
        "search",
        "../secret.txt",
        "..%2fsecret.txt",
        "search/../../secret.txt",
        "%2e%2e/secret.txt",
        "%2fetc/passwd",
    ],
)
def test_nothing_else_is(client: Client, site: Path, file: str) -> None:
    (site.parent / "secret.txt").write_text("not for you")
    found = client.get(f"/docs/{file}")
    assert found.status_code == 404
    assert b"not for you" not in found.content


def test_without_a_site_the_page_says_how_to_build_it(
    client: Client, tmp_path: Path, settings: Settings
) -> None:
    settings.DOCS_DIR = tmp_path
    found = client.get("/docs/index.html")
    assert found.status_code == 404
    assert "make docs" in found.content.decode()


def test_it_can_only_be_read(client: Client, site: Path) -> None:
    assert client.post("/docs/index.html").status_code == 405
