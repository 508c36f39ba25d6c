"""How many processes label on this machine at once: each has a core of its own, or shares one with nobody."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from learning.tasks.locks import LockTaken, held, is_held

PROCESSES = "ML_LABEL_PROCESSES"
MOST_PROCESSES = 256


class RoomMisconfigured(ValueError):
    def __init__(self, given: str) -> None:
        super().__init__(
            f"{PROCESSES}={given!r} is not allowed: it takes a whole number from 1 to {MOST_PROCESSES}."
        )


@dataclass(frozen=True, slots=True)
class Room:
    """`processes` that may label here at once, each computing with `threads`."""

    processes: int
    threads: int

    @classmethod
    def of_machine(cls, variables: Mapping[str, str], cores: int) -> Room:
        """As many as there are cores if nothing else is said: two processes outdo one with two threads."""
        given = variables.get(PROCESSES) or str(cores)
        if not given.isdecimal() or not 1 <= int(given) <= MOST_PROCESSES:
            raise RoomMisconfigured(given)
        return cls(int(given), max(1, cores // int(given)))

    def free(self, work: Path) -> int:
        """How many could begin now, whatever run the others work on."""
        return sum(not is_held(place) for place in self._places(work))

    @contextmanager
    def taken(self, work: Path) -> Iterator[None]:
        """Raises LockTaken if there is no room."""
        with ExitStack() as locks:
            for place in self._places(work):
                try:
                    locks.enter_context(held(place, looks=2))
                    break
                except LockTaken:
                    continue
            else:
                raise LockTaken(f"{self.processes} processes label here already.")
            yield

    def _places(self, work: Path) -> list[Path]:
        """Named by the machine, because several may see the same folders."""
        home = work.parent.parent
        return [home / f".slot-label-{socket.gethostname()}-{n}" for n in range(self.processes)]


def room_here() -> Room:
    return Room.of_machine(os.environ, len(os.sched_getaffinity(0)))
