"""Starts a fresh process for each order and ends it with the worker: seen from the worker's side."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from pathlib import Path

from ml_backend.orders.ends import End

logger = logging.getLogger(__name__)
ROOT = Path(__file__).resolve().parents[2]


class OrderProcesses:
    """Each child reads a pipe that we hold: however this process ends, the pipe closes, and the child stops."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._stopping = False

    def run(self, folder: Path) -> bool:
        """Blocks until the process is over; whether it worked on the order at all."""
        command = [sys.executable, "-m", "ml_backend", "order", str(folder), "--with-parent"]
        with self._lock:
            if self._stopping:
                return False
            process = subprocess.Popen(command, stdin=subprocess.PIPE, cwd=ROOT)
            self._running.add(process)
        try:
            code = process.wait()
        finally:
            with self._lock:
                self._running.discard(process)
                _close_pipe(process)
        logger.info("Order %s ended with %s.", folder.name, _name(code))
        return code not in (End.TAKEN, End.BUSY, End.UNWANTED)

    def stop(self) -> None:
        """What was learned so far is in checkpoints; whoever asked asks again."""
        with self._lock:
            self._stopping = True
            for process in self._running:
                _close_pipe(process)


def _close_pipe(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()


def _name(code: int) -> str:
    return End(code).name.lower() if code in set(End) else f"code {code}"


PROCESSES = OrderProcesses()
