"""How many processes label on this machine at once: each has a core of its own, or shares one with nobody."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from learning.tasks.locks import LockTaken, hold_lock, is_held

PROCESSES = "ML_LABEL_PROCESSES"
MOST_PROCESSES = 256


class SlotsMisconfigured(ValueError):
    def __init__(self, given: str) -> None:
        super().__init__(
            f"{PROCESSES}={given!r} is not allowed: it takes a whole number from 1 to {MOST_PROCESSES}."
        )


@dataclass(frozen=True, slots=True)
class ProcessSlots:
    """`processes` that may label here at once, each computing with `threads`."""

    processes: int
    threads: int

    @classmethod
    def of_machine(cls, variables: Mapping[str, str], cores: int) -> ProcessSlots:
        """As many as there are cores if nothing else is said: two processes outdo one with two threads."""
        given = variables.get(PROCESSES) or str(cores)
        if not given.isdecimal() or not 1 <= int(given) <= MOST_PROCESSES:
            raise SlotsMisconfigured(given)
        return cls(int(given), max(1, cores // int(given)))

    def free(self, work: Path) -> int:
        """How many could begin now, whatever run the others work on."""
        return sum(not is_held(slot) for slot in self._slots(work))

    @contextmanager
    def take(self, work: Path) -> Iterator[None]:
        """Raises LockTaken if there is no free slot."""
        with ExitStack() as locks:
            for slot in self._slots(work):
                try:
                    locks.enter_context(hold_lock(slot, looks=2))
                    break
                except LockTaken:
                    continue
            else:
                raise LockTaken(f"{self.processes} processes label here already.")
            yield

    def _slots(self, work: Path) -> list[Path]:
        """Named by the machine, because several may see the same folders."""
        home = work.parent.parent
        return [home / f".slot-label-{socket.gethostname()}-{n}" for n in range(self.processes)]


def slots_here() -> ProcessSlots:
    return ProcessSlots.of_machine(os.environ, len(os.sched_getaffinity(0)))
