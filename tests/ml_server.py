"""The ML backend's server as the launcher starts it, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.servers import free_port

ROOT = Path(__file__).resolve().parents[1]


@contextmanager
def running_ml_server(adapters: Path, log: Path, *, password: str) -> Iterator[str]:
    """Its address, once it answers."""
    url = f"http://127.0.0.1:{free_port()}"
    command = ["-m", "gunicorn", "ml_backend.server.wsgi", "--bind", url.removeprefix("http://")]
    size = ["--worker-class", "gthread", "--threads", "4", "--no-control-socket"]
    own = {**os.environ, "ML_ADAPTERS_DIR": str(adapters), "ML_SERVER_PASSWORD": password}
    with (
        log.open("wb") as stream,
        subprocess.Popen(
            [sys.executable, *command, *size], cwd=ROOT, env=own, stdout=stream, stderr=stream
        ) as process,
    ):
        try:
            _wait(f"{url}/health")
            yield url
        finally:
            process.terminate()


def _wait(url: str) -> None:
    for _ in range(600):
        try:
            httpx.get(url, trust_env=False).raise_for_status()
            return
        except httpx.HTTPError:
            time.sleep(0.1)
    raise TimeoutError(url)
