"""Counts the processes that died of a piece of work, so that none is given it for ever."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from corpus.atomic_files import replace_file
from learning.tasks.locks import is_held


@dataclass(frozen=True, slots=True)
class Tries:
    """A file with a byte for each process that began and did not end."""

    path: Path

    def begin(self) -> int:
        """How many processes have begun since the last one that ended well or got farther, this one included."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as handle:
            handle.write(b".")
            return handle.tell()

    def count(self) -> int:
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0

    def start_again(self) -> None:
        """For a process that got farther: what came before was no fault of the work."""
        replace_file(self.path, b".")

    def end(self) -> None:
        self.path.unlink(missing_ok=True)


def tries_of(report: Path) -> Tries:
    """Of a report on agreement; whoever makes it holds the file locked."""
    return Tries(report.with_suffix(".tries"))


def is_being_made(report: Path) -> bool:
    return is_held(tries_of(report).path)
