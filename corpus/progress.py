"""How far an import has come, for a progress bar that knows rate and time left."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

Clock = Callable[[], datetime]


@dataclass(frozen=True)
class Progress:
    """Bytes are those of the source files as they lie on disk."""

    done_bytes: int
    total_bytes: int
    records: int
    elapsed: timedelta

    @property
    def rate(self) -> float:
        """Source bytes per second so far."""
        seconds = self.elapsed.total_seconds()
        return self.done_bytes / seconds if seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """None until there is a rate to judge by."""
        return (self.total_bytes - self.done_bytes) / self.rate if self.rate > 0 else None


ProgressSink = Callable[[Progress], None]


def ignore_progress(progress: Progress) -> None:
    """For callers that do not show any."""
