"""A whole instance for tests: real worker and beat processes on the test's database and a chosen broker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.db import connection
from django.test import override_settings

from backend.core.jobs.models import Job
from backend.operate.instance.workplace import Workplace
from backend.operate.launch.processes import ProcessSpec, ml
from tests.integration import probe_handlers, quick_beat

PATIENCE_SECONDS = 120.0
ENQUEUE = f"""
import json, sys, django
django.setup()
import {probe_handlers.__name__}
from django.utils import timezone
from backend.core.jobs.services import enqueue_job
arguments = json.loads(sys.argv[1])
print(enqueue_job(kind={probe_handlers.COUNT!r}, arguments=arguments, study=None, created_by=None,
                  now=timezone.now()).pk)
"""


@dataclass(frozen=True)
class Instance:
    folder: Path
    broker_url: str
    lease_seconds: int = 2
    extra: Mapping[str, str] = field(default_factory=dict)

    @property
    def journal(self) -> Path:
        return self.folder / "journal"

    def lines(self) -> list[str]:
        return self.journal.read_text().split() if self.journal.exists() else []

    @contextmanager
    def held(self) -> Iterator[None]:
        """No count comes to its end."""
        sign = self.journal.with_suffix(".held")
        sign.touch()
        try:
            yield
        finally:
            sign.unlink()

    def enqueue_count(self, steps: int) -> int:
        """From a process of its own, as a web server would."""
        arguments = f'{{"journal": "{self.journal}", "steps": {steps}}}'
        done = subprocess.run(
            [sys.executable, "-c", ENQUEUE, arguments],
            env=self.environment(),
            check=True,
            capture_output=True,
            text=True,
            cwd=settings.ROOT,
        )
        return int(done.stdout)

    @contextmanager
    def worker(self, queues: str = "celery") -> Iterator[subprocess.Popen[bytes]]:
        include, taking = f"--include={probe_handlers.__name__}", f"--queues={queues}"
        alone = ("--without-gossip", "--without-mingle")
        with self._celery("worker", include, taking, *alone, app="backend", log="worker") as process:
            yield process

    @contextmanager
    def beat(self, name: str = "beat") -> Iterator[subprocess.Popen[bytes]]:
        """As the launcher starts it, with a faster schedule."""
        pidfile = f"--pidfile={self.folder / name}.pid"
        with self._celery("beat", pidfile, app=quick_beat.__name__, log=name) as process:
            yield process

    @contextmanager
    def ml(self) -> Iterator[subprocess.Popen[bytes]]:
        """The ML backend, as the launcher starts it."""
        Workplace(self.folder).ready_sign("ml").unlink(missing_ok=True)
        with self._process(self.ml_spec.command, self.ml_spec.environment, "ml") as process:
            wait_until(self.ml_spec.is_ready)
            yield process

    @property
    def ml_spec(self) -> ProcessSpec:
        with override_settings(BROKER_URL=self.broker_url, BROKER_DIR=self.folder / "broker"):
            return ml(Workplace(self.folder), self.environment())

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "DATABASE_URL": database_url_of_test(),
            "BROKER_URL": self.broker_url,
            "ATTUNE_DATA_DIR": str(self.folder),
            "ATTUNE_JOB_LEASE_SECONDS": str(self.lease_seconds),
            **self.extra,
        }

    @contextmanager
    def _celery(self, *arguments: str, app: str, log: str) -> Iterator[subprocess.Popen[bytes]]:
        command = (sys.executable, "-m", "celery", "-A", app, *arguments)
        with self._process(command, self.environment(), log) as process:
            yield process

    @contextmanager
    def _process(
        self, command: Sequence[str], environment: Mapping[str, str], name: str
    ) -> Iterator[subprocess.Popen[bytes]]:
        with (
            (self.folder / f"{name}.log").open("ab") as log,
            subprocess.Popen(
                command,
                env=environment,
                stdout=log,
                stderr=log,
                cwd=settings.ROOT,
                start_new_session=True,
            ) as process,
        ):
            try:
                yield process
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)


def database_url_of_test() -> str:
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlunsplit(urlsplit(settings.DATABASE_URL)._replace(path=f"/{name}"))


def wait_until(happened: Callable[[], bool], *, patience: float = PATIENCE_SECONDS) -> None:
    deadline = time.monotonic() + patience
    while not happened():
        if time.monotonic() > deadline:
            raise TimeoutError(f"Waited {patience} s in vain; jobs: {list(Job.objects.values())}")
        time.sleep(0.05)


def is_alive(pid: int) -> bool:
    """Whether it is one of the ML backend's processes and has not ended; another program may have its number by now."""
    try:
        return b"ml_backend" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until_over(job_id: int) -> Job:
    wait_until(lambda: Job.objects.get(pk=job_id).is_over)
    return Job.objects.get(pk=job_id)
