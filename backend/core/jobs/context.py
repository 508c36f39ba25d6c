"""What a handler gets to see of its own job: report progress, learn that it must stop, write safely."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

from django.db import OperationalError, transaction

from backend.core.jobs.errors import JobCancelled, LeaseLost, WorkerStopping
from backend.core.jobs.leases import forget_attempts, heartbeat
from backend.core.jobs.pulse import Pulse
from backend.core.jobs.values import Claim, Progress
from backend.core.worker import WORKER_IS_STOPPING

logger = logging.getLogger(__name__)
BETWEEN_WRITES = timedelta(seconds=0.5)


class JobContext:
    """Call `report` often: it is cheap, writes twice a second at most, and is where a job stops."""

    def __init__(self, claim: Claim, pulse: Pulse, *, clock: Callable[[], datetime]) -> None:
        self.job_id = claim.job_id
        self.study_id = claim.study_id
        self.earlier_note = claim.note
        self.progress: Progress | None = None
        self._claim = claim
        self._pulse = pulse
        self._clock = clock
        self._written_at = datetime.min.replace(tzinfo=UTC)

    def report(self, done: int, total: int | None = None, unit: str = "", note: str = "") -> None:
        """Raises JobCancelled, LeaseLost or WorkerStopping when the handler must stop: let them pass."""
        start = done if self.progress is None else self.progress.start
        self.progress = Progress(done, total, unit, note, start)
        if self._pulse.lost:
            raise LeaseLost(f"Job {self.job_id} was taken by another worker.")
        if WORKER_IS_STOPPING.is_set():
            raise WorkerStopping(f"Job {self.job_id} stops with its worker.")
        now = self._clock()
        # The first comparison is for a clock that was set back.
        due = not self._written_at <= now < self._written_at + BETWEEN_WRITES
        if due or self._pulse.cancelled:
            self._written_at = now
            self._write(now)

    def got_farther(self) -> None:
        """What stopped earlier attempts was no fault of the job: it has all its attempts again."""
        with suppress(OperationalError):
            forget_attempts(self._claim)

    @contextmanager
    def fenced_transaction(self) -> Iterator[None]:
        """Writes inside happen only while this worker holds the job: a worker that lost it writes nothing."""
        with transaction.atomic():
            heartbeat(self._claim, progress=self.progress, now=self._clock())
            yield

    def _write(self, now: datetime) -> None:
        """A database that is busy for a moment costs a line of progress, not the job: the pulse keeps the lease."""
        try:
            cancelled = heartbeat(self._claim, progress=self.progress, now=now)
        except OperationalError:
            logger.warning("Job %s could not write its progress.", self.job_id)
            return
        if cancelled:
            raise JobCancelled(f"Job {self.job_id} was cancelled.")
