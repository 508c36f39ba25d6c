"""The TLS front with the real Caddy: two names, true addresses, and nothing in the clear."""

from __future__ import annotations

import json
import os
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from django.test import RequestFactory, override_settings

from backend.core.accounts.login_limits import client_address
from tests.servers import MissingProgram, free_port

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
ATTUNE, LABEL = "attune.example.org", "label.example.org"
START_SECONDS = 30.0


@dataclass(frozen=True)
class Front:
    http_port: int
    https_port: int
    trust: ssl.SSLContext

    def get(self, name: str, **headers: str) -> httpx.Response:
        with httpx.Client(verify=self.trust, trust_env=False, timeout=60) as client:
            request = client.build_request(
                "GET",
                f"https://127.0.0.1:{self.https_port}/where",
                headers={"Host": name, **headers},
                extensions={"sni_hostname": name},
            )
            return client.send(request)


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    program = shutil.which("caddy")
    if program is None:
        raise MissingProgram("caddy was not found: install the Debian package caddy.")
    folder = tmp_path_factory.mktemp("front")
    http_port, https_port, health_port = free_port(), free_port(), free_port()
    with ExitStack() as behind:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder),
            "ATTUNE_PUBLIC_URL": f"https://{ATTUNE}",
            "ATTUNE_LABEL_STUDIO_URL": f"https://{LABEL}",
            "FRONT_TLS": "tls internal",
            "FRONT_WEB": behind.enter_context(_echo("web")),
            "FRONT_LABEL_STUDIO": behind.enter_context(_echo("label-studio")),
            "FRONT_HTTP_PORT": str(http_port),
            "FRONT_HTTPS_PORT": str(https_port),
            "FRONT_HEALTH_PORT": str(health_port),
        }
        command = [program, "run", "--config", str(ROOT / "Caddyfile"), "--adapter", "caddyfile"]
        log = behind.enter_context((folder / "log").open("wb"))
        process = behind.enter_context(
            subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log)
        )
        behind.callback(process.terminate)
        certificate = folder / "caddy/pki/authorities/local/root.crt"
        _wait_for(process, health_port, certificate, folder / "log")
        yield Front(http_port, https_port, ssl.create_default_context(cafile=str(certificate)))


def _wait_for(process: subprocess.Popen[bytes], health_port: int, certificate: Path, log: Path) -> None:
    """As the health check of docker-compose.yml asks it."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            answered = httpx.get(f"http://127.0.0.1:{health_port}/", trust_env=False).status_code == 200
        except httpx.HTTPError:
            answered = False
        if answered and certificate.exists():
            return
        assert process.poll() is None and time.monotonic() < deadline, log.read_text()
        time.sleep(0.1)


@contextmanager
def _echo(name: str) -> Iterator[str]:
    """Stands where a server of ours would, and says what it was told."""

    class Echo(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps({"server": name, **{key.title(): value for key, value in self.headers.items()}})
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Echo) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()


def test_each_name_leads_to_its_server_with_the_name_kept(front: Front) -> None:
    for name, server in ((ATTUNE, "web"), (LABEL, "label-studio")):
        heard = front.get(name).json()
        assert (heard["server"], heard["Host"], heard["X-Forwarded-Proto"]) == (server, name, "https")


def test_attune_sees_the_true_address_whatever_the_client_claims(front: Front) -> None:
    """With one trusted proxy, which is what docker-compose.yml says."""
    heard = front.get(ATTUNE, **{"X-Forwarded-For": "203.0.113.9, 203.0.113.10"}).json()
    assert heard["X-Forwarded-For"] == "127.0.0.1"
    request = RequestFactory(headers={"X-Forwarded-For": heard["X-Forwarded-For"]}).get("/")
    request.META["REMOTE_ADDR"] = "172.18.0.5"
    with override_settings(TRUSTED_PROXIES=1):
        assert client_address(request) == "127.0.0.1"


def test_answers_carry_the_headers_of_a_careful_server(front: Front) -> None:
    headers = front.get(LABEL).headers
    assert headers["Strict-Transport-Security"] == "max-age=31536000"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "caddy" not in headers.get("Server", "").lower()


def test_nothing_is_answered_in_the_clear_or_under_another_name(front: Front) -> None:
    plain = httpx.get(f"http://127.0.0.1:{front.http_port}/where", headers={"Host": ATTUNE}, trust_env=False)
    assert (plain.status_code, plain.headers["Location"]) == (308, f"https://{ATTUNE}/where")
    with pytest.raises(httpx.ConnectError):
        front.get("elsewhere.example.org")
