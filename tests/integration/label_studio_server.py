"""A real Label Studio for the whole test session, started as the launcher starts it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import httpx
import pytest
from label_studio_sdk import LabelStudio

from backend.label_studio.process import VENV, LabelStudioInstance, command_line, process_environment
from backend.launch.health import label_studio_answers

PATIENCE_SECONDS = 240
# What it is told about its database; nothing, if that is a file
SQLITE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class RunningLabelStudio:
    url: str
    instance: LabelStudioInstance
    pid: int


class LabelStudioDidNotStart(Exception):
    """Its log is the message."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def new_instance(data_dir: Path) -> LabelStudioInstance:
    (data_dir / "home").mkdir(parents=True, exist_ok=True)
    port = free_port()
    return LabelStudioInstance(
        venv=VENV,
        data_dir=data_dir,
        port=port,
        public_url=f"http://127.0.0.1:{port}",
        password="correct-horse-battery",
        token="0123456789abcdef0123456789abcdef01234567",
    )


def run_label_studio(
    instance: LabelStudioInstance, database: Mapping[str, str] = SQLITE
) -> Iterator[RunningLabelStudio]:
    """Yields it once it answers; stops its whole process group afterwards."""
    log = instance.data_dir / "server.log"
    started = time.monotonic()
    with log.open("wb") as output:
        process = subprocess.Popen(
            command_line(instance),
            env={**process_environment(instance, os.environ), **database},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        while not label_studio_answers(instance.public_url, instance.token, instance.data_dir / "none"):
            if process.poll() is not None or time.monotonic() - started > PATIENCE_SECONDS:
                raise LabelStudioDidNotStart(log.read_text()[-4000:])
            time.sleep(0.2)
        yield RunningLabelStudio(instance.public_url, instance, process.pid)
    finally:
        # A server that did not start leaves no group to kill
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture(scope="session")
def label_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningLabelStudio]:
    yield from run_label_studio(new_instance(tmp_path_factory.mktemp("label-studio")))


@pytest.fixture
def label_studio_owner(label_studio: RunningLabelStudio) -> Iterator[LabelStudio]:
    """The owner's client; its connections are closed with the test."""
    with httpx.Client(timeout=60, trust_env=False) as connections:
        yield LabelStudio(  # type: ignore[no-untyped-call]
            base_url=label_studio.url, api_key=label_studio.instance.token, httpx_client=connections
        )
