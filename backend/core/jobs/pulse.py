"""Keeps a job's lease alive while its handler is too busy to report, from a thread of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from types import TracebackType

from django.db import Error as DatabaseProblem
from django.db import connections

from backend.core.jobs.errors import LeaseLost
from backend.core.jobs.leases import heartbeat
from backend.core.jobs.values import Claim

logger = logging.getLogger(__name__)


class Pulse:
    """Beats until it is left; what it learns (lost, cancelled) the handler meets at its next report."""

    def __init__(self, claim: Claim, *, interval: timedelta, clock: Callable[[], datetime]) -> None:
        self._claim = claim
        self._interval = interval.total_seconds()
        self._clock = clock
        self._over = threading.Event()
        self._thread = threading.Thread(
            target=self._beat_until_over, name=f"pulse-{claim.job_id}", daemon=True
        )
        self.lost = False
        self.cancelled = False

    def __enter__(self) -> Pulse:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _beat_until_over(self) -> None:
        try:
            while not self.lost and not self._over.wait(self._interval):
                self._beat()
        finally:
            connections.close_all()

    def _beat(self) -> None:
        try:
            self.cancelled = heartbeat(self._claim, progress=None, now=self._clock())
        except LeaseLost:
            self.lost = True
        except DatabaseProblem as problem:
            # One missed beat is no lost lease: the next one may come through in time.
            logger.warning("Job %s: a heartbeat failed (%s).", self._claim.job_id, type(problem).__name__)
            connections.close_all()
