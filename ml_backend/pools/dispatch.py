"""Hands cells to workers and takes them back from dead ones: the same for workers here and on a cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ml_backend.pools.interface import (
    Cell,
    CellFailure,
    CellOutcome,
    CellResult,
    Outcomes,
    PoolState,
    SetupFailed,
    WorkersKeepStopping,
)

# A worker may die while it loads because of what else its machine does
MOST_STARTS = 10
LOOK_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Ready:
    """A worker has loaded what it needs. `name` is for people, `machine` is where it runs."""

    worker: int
    name: str
    machine: str


@dataclass(frozen=True, slots=True)
class Done:
    """Of the cell that was sent to the worker first."""

    worker: int
    content: bytes
    seconds: float


@dataclass(frozen=True, slots=True)
class Raised:
    """The function raised on the cell that was sent first, or the setup if the worker is not ready yet."""

    worker: int
    reason: str


@dataclass(frozen=True, slots=True)
class Died:
    worker: int
    how: str


Event = Ready | Done | Raised | Died


class Crew(Protocol):
    """The workers themselves, as `dispatch` sees them. None of these calls waits for a worker's work."""

    def slots(self) -> int:
        """For how many workers there is room at the moment, those that are there included."""
        ...

    def start(self, worker: int) -> None: ...

    def send(self, worker: int, cell: Cell) -> None:
        """The worker does its cells in the order in which they were sent. The end of a dead one comes as an event."""
        ...

    def poll(self, seconds: float) -> Sequence[Event]:
        """What happened, in order; waits so long at most."""
        ...

    def end(self, worker: int) -> None:
        """At once; no event comes from it any more."""
        ...

    def close(self) -> None:
        """Ends all that are left."""
        ...


@dataclass(slots=True)
class _Worker:
    name: str = ""
    machine: str = ""
    is_ready: bool = False
    cells: deque[Cell] = field(default_factory=deque)


class Dispatcher:
    def __init__(self, crew: Crew, cells: Iterable[Cell], *, ahead: int, tries: int) -> None:
        self._crew = crew
        self._cells = iter(cells)
        self._ahead, self._most_tries = ahead, tries
        self._waiting: deque[Cell] = deque()
        # What can be done is done first, so these come after all others
        self._again: deque[Cell] = deque()
        self._tries: dict[int, int] = {}
        self._workers: dict[int, _Worker] = {}
        self._n_started = self._n_done = self._n_lost = self._n_bad_starts = 0

    def outcomes(self, stop: Callable[[], bool], report: Callable[[PoolState], None]) -> Outcomes:
        """Raises SetupFailed."""
        try:
            while not stop() and self._give_work():
                report(self.state())
                found = [self._take(event) for event in self._crew.poll(LOOK_SECONDS)]
                # Whoever is free again has work while the driver writes
                self._hand_out()
                for outcome in found:
                    if outcome is not None:
                        self._n_done += 1
                        yield outcome
        finally:
            self._crew.close()

    def state(self) -> PoolState:
        n_ready = sum(worker.is_ready for worker in self._workers.values())
        n_in_hand = sum(len(worker.cells) for worker in self._workers.values())
        return PoolState(n_ready, len(self._workers) - n_ready, n_in_hand, self._n_done, self._n_lost)

    def _give_work(self) -> bool:
        """Whether anything is left to wait for."""
        self._hand_out()
        self._hire()
        return bool(self._waiting) or any(worker.cells for worker in self._workers.values())

    def _hand_out(self) -> None:
        """Nobody gets a second cell while another has none."""
        for depth in range(1 + self._ahead):
            for number, worker in self._workers.items():
                if worker.is_ready and len(worker.cells) == depth and self._fetch(1):
                    cell = self._waiting.popleft()
                    worker.cells.append(cell)
                    self._crew.send(number, cell)

    def _hire(self) -> None:
        """As many as there is work and room for; those that still start hold no cell, so that none waits for them."""
        slots = self._crew.slots()
        starting = [number for number, worker in self._workers.items() if not worker.is_ready]
        for number in starting[: max(0, len(self._workers) - slots)]:
            self._crew.end(number)
            del self._workers[number]
            starting.remove(number)
        n_free = max(0, slots - len(self._workers))
        n_wanted = self._fetch(1 + len(starting) + n_free) - len(starting)
        for _ in range(min(n_wanted, n_free)):
            self._n_started += 1
            self._workers[self._n_started] = _Worker()
            self._crew.start(self._n_started)

    def _fetch(self, n: int) -> int:
        """How many cells wait, of which there are `n` if so many are left."""
        while len(self._waiting) < n:
            cell = next(self._cells, None)
            if cell is None and self._again:
                cell = self._again.popleft()
            if cell is None:
                break
            self._waiting.append(cell)
        return len(self._waiting)

    def _take(self, event: Event) -> CellOutcome | None:
        worker = self._workers.get(event.worker)
        if worker is None:
            return None
        match event:
            case Ready():
                worker.name, worker.machine, worker.is_ready = event.name, event.machine, True
                self._n_bad_starts = 0
                return None
            case Done():
                cell = worker.cells.popleft()
                share = sum(each.machine == worker.machine for each in self._workers.values())
                return CellResult(
                    cell.number, event.content, event.seconds, event.seconds / share, worker.name
                )
            case Raised():
                if not worker.is_ready:
                    raise SetupFailed(event.reason)
                return CellFailure(worker.cells.popleft().number, event.reason)
            case Died():
                return self._lose(event)

    def _lose(self, event: Died) -> CellFailure | None:
        worker = self._workers.pop(event.worker)
        self._crew.end(event.worker)
        self._n_lost += 1
        if not worker.is_ready:
            self._n_bad_starts += 1
            if self._n_bad_starts >= MOST_STARTS:
                raise WorkersKeepStopping(self._n_bad_starts, event.how)
            return None
        if not worker.cells:
            return None
        cell = worker.cells.popleft()
        self._waiting.extendleft(reversed(worker.cells))
        tries = self._tries[cell.number] = self._tries.get(cell.number, 0) + 1
        if tries < self._most_tries:
            self._again.append(cell)
            return None
        return CellFailure(
            cell.number,
            f"it stopped its worker {_times(tries)} (the last time: {event.how}). Look for a lack of memory in the ML "
            "backend's log, then start again.",
        )


def _times(n: int) -> str:
    return "once" if n == 1 else f"{n} times"
