"""Starts fresh processes of the ML backend, ends them with the worker, and says how they ended."""

from __future__ import annotations

import subprocess
import sys
import threading
from enum import IntEnum
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


class ExitCode(IntEnum):
    """`TAKEN`: another process works on it. `BUSY`: another task has to be done first. `ABANDONED`: nobody waits.

    `STOPPED`: it was told to stop, its parent is gone, or a newer request took the place of its own; what it had is in
    its checkpoint. `DIED`: the worker of a cluster that it drove did.
    """

    DONE = 0
    FAILED = 1
    TAKEN = 73
    BUSY = 75
    ABANDONED = 76
    STOPPED = 77
    DIED = 78


class DiedElsewhere(RuntimeError):
    """The worker of a cluster, as if this process had died: whoever asks again goes on from what is kept."""


def name_of(code: int) -> str:
    return ExitCode(code).name.lower() if code in set(ExitCode) else f"code {code}"


class Children:
    """Each child reads a pipe that we hold: however this process ends, the pipe closes, and the child stops."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._stopping = False

    def run(self, *arguments: str) -> int | None:
        """Blocks until the process is over and gives its exit code; None once children are told to stop."""
        command = [sys.executable, "-m", "ml_backend", *arguments, "--with-parent"]
        with self._lock:
            if self._stopping:
                return None
            process = subprocess.Popen(command, stdin=subprocess.PIPE, cwd=ROOT)
            self._running.add(process)
        try:
            return process.wait()
        finally:
            with self._lock:
                self._running.discard(process)
                _close_pipe(process)

    def stop(self) -> None:
        """What was done so far is on disk; whoever asked asks again."""
        with self._lock:
            self._stopping = True
            for process in self._running:
                _close_pipe(process)


def _close_pipe(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()


CHILDREN = Children()
