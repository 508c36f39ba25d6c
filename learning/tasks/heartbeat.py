"""What every folder with work in it has: the heartbeat of whoever waits, a mark to cancel, and why it failed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from corpus.atomic_files import replace_file

# Work whose heartbeat has stopped is neither begun nor, after a while, gone on with.
BEGIN_WITHIN_SECONDS, GO_ON_WITHIN_SECONDS = 60.0, 300.0


class TaskUnreadable(ValueError):
    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is not what this version writes: see that all processes run the same version."
        )


@dataclass(frozen=True, slots=True)
class HeartbeatFolder:
    """`heartbeat` is touched by whoever waits; `cancel` is there while what is under way has to stop."""

    path: Path

    @property
    def heartbeat(self) -> Path:
        return self.path / "heartbeat"

    @property
    def cancel(self) -> Path:
        return self.path / "cancel"

    @property
    def failure(self) -> Path:
        return self.path / "failure.txt"

    def beat(self) -> None:
        self.heartbeat.touch()

    def seconds_since_heartbeat(self, now: float) -> float | None:
        """None if nobody waits."""
        try:
            return now - self.heartbeat.stat().st_mtime
        except FileNotFoundError:
            return None

    def may_begin(self, now: float) -> bool:
        return self._is_alive(now, BEGIN_WITHIN_SECONDS)

    def may_go_on(self, now: float) -> bool:
        return self._is_alive(now, GO_ON_WITHIN_SECONDS)

    def _is_alive(self, now: float, within: float) -> bool:
        age = self.seconds_since_heartbeat(now)
        return age is not None and age <= within and not self.cancel.exists()

    def write_failure(self, reason: str) -> None:
        replace_file(self.failure, reason.encode())

    def take_failure(self) -> str | None:
        """Why it could not be done, once: asking again afterwards is a new try."""
        try:
            reason = self.failure.read_text()
        except FileNotFoundError:
            return None
        self.failure.unlink(missing_ok=True)
        return reason
