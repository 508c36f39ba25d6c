"""What every folder with work in it has: whether somebody still waits for it, and why it could not be done."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from corpus.whole_files import replace_file

# Work that nobody waits for any more is neither begun nor, after a while, gone on with.
BEGIN_WITHIN_SECONDS, GO_ON_WITHIN_SECONDS = 60.0, 300.0


@dataclass(frozen=True, slots=True)
class WantedFolder:
    """`wanted` is touched by whoever waits; `cancel` is there while what is under way has to stop."""

    path: Path

    @property
    def wanted(self) -> Path:
        return self.path / "wanted"

    @property
    def cancel(self) -> Path:
        return self.path / "cancel"

    @property
    def failure(self) -> Path:
        return self.path / "failure.txt"

    def want(self) -> None:
        self.wanted.touch()

    def wanted_since(self, now: float) -> float | None:
        """Seconds since somebody last asked for it, None if nobody does."""
        try:
            return now - self.wanted.stat().st_mtime
        except FileNotFoundError:
            return None

    def may_begin(self, now: float) -> bool:
        return self._is_wanted(now, BEGIN_WITHIN_SECONDS)

    def may_go_on(self, now: float) -> bool:
        return self._is_wanted(now, GO_ON_WITHIN_SECONDS)

    def _is_wanted(self, now: float, within: float) -> bool:
        waited = self.wanted_since(now)
        return waited is not None and waited <= within and not self.cancel.exists()

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
