"""A process counts as ready only when it answers as it should."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from backend.operate.launch.errors import OwnerTokenRefused
from backend.operate.launch.health import answers, label_studio_answers


class Door(BaseHTTPRequestHandler):
    """/health is open, /broken fails, and the rest asks for the token `right`."""

    def do_GET(self) -> None:
        known = self.headers["Authorization"] == "Token right"
        self.send_response({"/health": 200, "/broken": 500}.get(self.path, 200 if known else 401))
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def base_url() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Door) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_only_200_is_an_answer(base_url: str) -> None:
    assert answers(f"{base_url}/health")
    assert not answers(f"{base_url}/broken")
    assert not answers("http://127.0.0.1:1/health")


def test_a_proxy_in_the_environment_is_not_asked(base_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert answers(f"{base_url}/health")


def test_label_studio_must_accept_the_owners_token(base_url: str) -> None:
    secrets_file = Path("/data/secrets.json")
    assert label_studio_answers(base_url, "right", secrets_file)
    assert not label_studio_answers("http://127.0.0.1:1", "right", secrets_file)
    with pytest.raises(OwnerTokenRefused, match="/data/label-studio"):
        label_studio_answers(base_url, "wrong", secrets_file)
