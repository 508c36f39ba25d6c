"""For how long an answer is of use: nothing is computed for whoever has stopped waiting."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ml_backend.server.refusals import Busy


class Patience:
    """Counts from its making; None is for whoever waits as long as it takes."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._since = time.monotonic()

    @contextmanager
    def holding(self, lock: threading.Lock) -> Iterator[None]:
        """Raises Busy. Half of the time may go by before it is one's turn, so that there is some left to compute."""
        if not lock.acquire(timeout=self._longest_wait()):
            raise Busy
        try:
            yield
        finally:
            lock.release()

    def _longest_wait(self) -> float:
        if self._seconds is None:
            return -1
        waited = time.monotonic() - self._since
        if waited >= self._seconds:
            raise Busy
        return max(0.0, self._seconds / 2 - waited)
