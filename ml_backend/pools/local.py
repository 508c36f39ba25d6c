"""A pool of fresh processes of this machine: nothing to start, and none is left when the driver is gone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait

from ml_backend.pools.dispatch import CrewPool, Died, Event
from ml_backend.pools.interface import Cell, Work
from ml_backend.pools.worker import Message
from ml_backend.processes import ROOT

STDERR = 2
# Torch, and what computes beside it
_THREADED = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS")


def worker_variables(threads: int) -> dict[str, str]:
    """Threads that wait for work would take the processors of other workers."""
    waiting = {"OMP_WAIT_POLICY": "PASSIVE", "TOKENIZERS_PARALLELISM": "false"}
    return waiting | dict.fromkeys(_THREADED, str(threads))


@dataclass(frozen=True, slots=True)
class LocalPool(CrewPool):
    """`threads` that each worker computes with; two workers outdo one with two threads."""

    workers: int
    threads: int = 1

    def crew(self, work: Work) -> Processes:
        return Processes(work, self.workers, self.threads)


@dataclass(slots=True)
class Processes:
    """Each leaves when its pipe is closed."""

    work: Work
    n_slots: int
    threads: int
    _running: dict[int, tuple[subprocess.Popen[bytes], Connection]] = field(default_factory=dict)

    def slots(self) -> int:
        return self.n_slots

    def start(self, worker: int) -> None:
        pipe, theirs = Pipe()
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-m", "ml_backend.pools.worker_process", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                # The driver's own output may be read by a program
                stdout=STDERR,
                cwd=ROOT,
                # Ctrl-C is the driver's to hear
                start_new_session=True,
                env={**os.environ, **worker_variables(self.threads)},
            )
        self._running[worker] = process, pipe
        with suppress(OSError):
            pipe.send(self.work)

    def send(self, worker: int, cell: Cell) -> None:
        """A dead worker's end comes as an event."""
        with suppress(OSError):
            self._running[worker][1].send(cell.payload)

    def poll(self, seconds: float) -> Sequence[Event]:
        ready = set(wait([pipe for _, pipe in self._running.values()], seconds))
        return [(worker, _receive(*each)) for worker, each in self._running.items() if each[1] in ready]

    def end(self, worker: int) -> None:
        """It has nothing to clean up: whatever is written is written by the driver."""
        process, pipe = self._running.pop(worker)
        process.kill()
        pipe.close()
        process.wait()


def _receive(process: subprocess.Popen[bytes], pipe: Connection) -> Message | Died:
    try:
        return pipe.recv()  # type: ignore[no-any-return]
    except (EOFError, OSError):
        return Died(_how(process.wait()))


def _how(code: int) -> str:
    """
    >>> _how(-9), _how(1)
    ('killed by signal 9', 'it ended with code 1')
    """
    return f"killed by signal {-code}" if code < 0 else f"it ended with code {code}"
