"""The whole product, started as `make run` starts it, in a directory of its own; this process shares its database."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django

from tests.servers import free_port

PATIENCE_SECONDS = 300


class ProductDidNotStart(Exception):
    """Its output is the message."""


@contextmanager
def running_product() -> Iterator[Path]:
    """Yields the data directory once everything answers; afterwards nothing of it is left."""
    with tempfile.TemporaryDirectory(prefix="attune-bench-") as folder:
        os.environ |= {
            "ATTUNE_DATA_DIR": folder,
            "ATTUNE_WEB_PORT": str(free_port()),
            "ATTUNE_LABEL_STUDIO_PORT": str(free_port()),
            "ATTUNE_ML_SERVER_PORT": str(free_port()),
            "DJANGO_SETTINGS_MODULE": "backend.settings",
        }
        output = Path(folder) / "launch.txt"
        with output.open("wb") as stream:
            process = subprocess.Popen(
                [sys.executable, "-m", "backend.operate.launch"],
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            _wait(process, output)
            django.setup()
            yield Path(folder)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def _wait(process: subprocess.Popen[bytes], output: Path) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while "Log in" not in (text := output.read_text()):
        if process.poll() is not None or time.monotonic() > deadline:
            raise ProductDidNotStart(text[-3000:])
        time.sleep(0.5)
