"""A pool of fresh processes of this machine: nothing to start, and none is left when the driver is gone."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO

from ml_backend.pools.dispatch import Died, Dispatcher, Done, Event, Raised, Ready
from ml_backend.pools.interface import (
    MOST_TRIES,
    Cell,
    Outcomes,
    PoolState,
    Work,
    never,
    say_nothing,
)
from ml_backend.pools.worker_process import (
    CellMessage,
    DoneMessage,
    FromWorker,
    RaisedMessage,
    ReadyMessage,
    StartMessage,
    read_answer,
    write_message,
)
from ml_backend.processes import ROOT

# Torch, and what computes beside it
THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS")


@dataclass(frozen=True, slots=True)
class LocalPool:
    """`threads` that each worker computes with; two workers outdo one with two threads."""

    workers: int
    threads: int = 1

    def run(
        self,
        work: Work,
        cells: Iterable[Cell],
        *,
        tries: int = MOST_TRIES,
        stop: Callable[[], bool] = never,
        report: Callable[[PoolState], None] = say_nothing,
    ) -> Outcomes:
        crew = Processes(work, self.workers, self.threads)
        return Dispatcher(crew, cells, ahead=work.ahead, tries=tries).outcomes(stop, report)


@dataclass(slots=True)
class Processes:
    """Each has a thread here that reads its answers, and leaves when its input ends."""

    work: Work
    n_slots: int
    threads: int
    _running: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)
    _events: queue.SimpleQueue[Event] = field(default_factory=queue.SimpleQueue)

    def slots(self) -> int:
        return self.n_slots

    def start(self, worker: int) -> None:
        threads = dict.fromkeys(THREAD_VARIABLES, str(self.threads))
        process = subprocess.Popen(
            [sys.executable, "-m", "ml_backend.pools.worker_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            # Ctrl-C is the driver's to hear
            start_new_session=True,
            env={**os.environ, "OMP_WAIT_POLICY": "PASSIVE", "TOKENIZERS_PARALLELISM": "false", **threads},
        )
        self._running[worker] = process
        threading.Thread(target=self._read, args=(worker, process), daemon=True).start()
        self._write(process, StartMessage(self.work))

    def send(self, worker: int, cell: Cell) -> None:
        self._write(self._running[worker], CellMessage(cell.payload))

    def _write(self, process: subprocess.Popen[bytes], message: StartMessage | CellMessage) -> None:
        """A dead worker's end comes as an event."""
        with suppress(BrokenPipeError):
            write_message(_pipe(process.stdin), message)

    def _read(self, worker: int, process: subprocess.Popen[bytes]) -> None:
        with _pipe(process.stdout) as answers:
            while (answer := read_answer(answers)) is not None:
                self._events.put(event_of(worker, answer))
        self._events.put(Died(worker, _how(process.wait())))

    def poll(self, seconds: float) -> Sequence[Event]:
        try:
            found = [self._events.get(timeout=seconds)]
        except queue.Empty:
            return []
        while not self._events.empty():
            found.append(self._events.get())
        return found

    def end(self, worker: int) -> None:
        _end(self._running.pop(worker))

    def close(self) -> None:
        for worker in list(self._running):
            self.end(worker)


def _end(process: subprocess.Popen[bytes]) -> None:
    """It has nothing to clean up: whatever is written is written by the driver."""
    process.kill()
    with suppress(BrokenPipeError):
        _pipe(process.stdin).close()
    process.wait()


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "asked for when the process was started"
    return pipe


def event_of(worker: int, answer: FromWorker) -> Event:
    match answer:
        case ReadyMessage():
            return Ready(worker, answer.name, answer.machine)
        case DoneMessage():
            return Done(worker, answer.content, answer.seconds)
        case RaisedMessage():
            return Raised(worker, answer.reason)


def _how(code: int) -> str:
    """
    >>> _how(-9), _how(1)
    ('killed by signal 9', 'it ended with code 1')
    """
    return f"killed by signal {-code}" if code < 0 else f"it ended with code {code}"
