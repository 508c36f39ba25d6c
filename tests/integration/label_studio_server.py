"""A real Label Studio for the whole test session, started as the launcher starts it."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import httpx
import pytest
from filelock import FileLock

from backend.annotate.label_studio.process import (
    OVERLAY,
    VENV,
    LabelStudioInstance,
    command_line,
    process_environment,
)
from backend.operate.launch.health import label_studio_answers

if TYPE_CHECKING:
    from label_studio_sdk import LabelStudio

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


def copied_instance(migrated: Path, data_dir: Path) -> LabelStudioInstance:
    """A new one whose first start is behind it."""
    shutil.copytree(migrated, data_dir)
    return new_instance(data_dir)


@pytest.fixture(scope="session")
def migrated_label_studio(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of a Label Studio after its first start, which takes a minute of migrations.

    Made once for all processes and kept for later runs, until Label Studio or the overlay changes; without
    pytest's cache it is kept beside the folders of this run.
    """
    cache: pytest.Cache | None = getattr(pytestconfig, "cache", None)
    folder = cache.mkdir("label-studio") if cache else tmp_path_factory.getbasetemp().parent / "label-studio"
    folder.mkdir(exist_ok=True)
    kept = folder / _what_it_is_made_of()
    with _alone(folder / "lock"):
        if not kept.exists():
            _start_for_the_first_time(folder, kept)
    return kept


def _what_it_is_made_of() -> str:
    """Another name for every other set of packages and for every change to the overlay."""
    digest = hashlib.sha256()
    for package in sorted(path.name for path in VENV.glob("lib/python*/site-packages/*.dist-info")):
        digest.update(package.encode())
    for path in sorted(OVERLAY.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _start_for_the_first_time(folder: Path, kept: Path) -> None:
    """It is killed, and then complete: the folder gets its name when nothing can go wrong any more."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        data_dir = Path(name) / "data"
        for _ in run_label_studio(new_instance(data_dir)):
            pass
        data_dir.rename(kept)


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """One process of the tests at a time; the others wait."""
    with FileLock(lock):
        yield


@pytest.fixture(scope="session")
def label_studio(
    migrated_label_studio: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningLabelStudio]:
    folder = tmp_path_factory.mktemp("label-studio")
    yield from run_label_studio(copied_instance(migrated_label_studio, folder / "data"))


@pytest.fixture
def label_studio_owner(label_studio: RunningLabelStudio) -> Iterator[LabelStudio]:
    """The owner's client; its connections are closed with the test."""
    # Every test process loads this file, and few of them the client
    from label_studio_sdk import LabelStudio

    with httpx.Client(timeout=60, trust_env=False) as connections:
        yield LabelStudio(  # type: ignore[no-untyped-call]
            base_url=label_studio.url, api_key=label_studio.instance.token, httpx_client=connections
        )
