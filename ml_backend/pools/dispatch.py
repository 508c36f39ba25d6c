"""Hands cells to workers and takes them back from dead ones: the same for workers here and on a cluster."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ml_backend.pools.interface import (
    Cell,
    CellFailure,
    CellOutcome,
    CellResult,
    Heed,
    Outcomes,
    PoolState,
    Report,
    SetupFailed,
    Work,
    WorkersKeepStopping,
    ignore,
)
from ml_backend.pools.worker import Done, Message, Raised, Ready, Told

# A worker may die while it loads because of what else its machine does
MOST_STARTS = 10
LOOK_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Died:
    how: str


# Of which worker, and what
Event = tuple[int, Message | Died]


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


class CrewPool(ABC):
    """A pool whose workers are a crew's."""

    __slots__ = ()

    @abstractmethod
    def crew(self, work: Work) -> Crew: ...

    def run(
        self, work: Work, cells: Iterable[Cell], *, report: Report = ignore, heed: Heed = ignore
    ) -> Outcomes:
        return Dispatcher(self.crew(work), work, cells, heed).outcomes(report)


@dataclass(slots=True)
class _Worker:
    ready: Ready | None = None
    cells: deque[Cell] = field(default_factory=deque)


class Dispatcher:
    def __init__(self, crew: Crew, work: Work, cells: Iterable[Cell], heed: Heed) -> None:
        self._crew, self._work, self._heed = crew, work, heed
        self._cells = iter(cells)
        self._waiting: deque[Cell] = deque()
        # What can be done is done first, so these come after all others
        self._again: deque[Cell] = deque()
        self._tries: dict[int, int] = {}
        self._workers: dict[int, _Worker] = {}
        self._n_started = self._n_done = self._n_lost = self._n_bad_starts = 0

    def outcomes(self, report: Report) -> Outcomes:
        """Raises SetupFailed."""
        try:
            while self._give_work():
                report(self.state())
                found = [self._take(*event) for event in self._crew.poll(LOOK_SECONDS)]
                # Whoever is free again has work while the driver writes
                self._hand_out()
                for outcome in found:
                    if outcome is not None:
                        self._n_done += 1
                        yield outcome
        finally:
            for number in self._workers:
                self._crew.end(number)

    def state(self) -> PoolState:
        n_ready = sum(worker.ready is not None for worker in self._workers.values())
        return PoolState(n_ready, len(self._workers) - n_ready, self._n_done, self._n_lost)

    def _give_work(self) -> bool:
        """Whether anything is left to wait for."""
        self._hand_out()
        self._hire()
        return bool(self._waiting) or any(worker.cells for worker in self._workers.values())

    def _hand_out(self) -> None:
        """Nobody gets a second cell while another has none."""
        for depth in range(1 + self._work.ahead):
            for number, worker in self._workers.items():
                if worker.ready and len(worker.cells) == depth and self._fetch(1):
                    cell = self._waiting.popleft()
                    worker.cells.append(cell)
                    self._crew.send(number, cell)

    def _hire(self) -> None:
        """As many as there is work and room for; those that still start hold no cell, so that none waits for them."""
        slots = self._crew.slots()
        starting = [number for number, worker in self._workers.items() if not worker.ready]
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

    def _take(self, number: int, message: Message | Died) -> CellOutcome | None:
        worker = self._workers.get(number)
        if worker is None:
            return None
        match message:
            case Ready():
                worker.ready, self._n_bad_starts = message, 0
            case Told():
                self._heed(worker.cells[0].number, message.content)
            case Done():
                return self._result(worker, message)
            case Raised():
                if not worker.ready:
                    raise SetupFailed(message.reason)
                return CellFailure(worker.cells.popleft().number, message.reason)
            case Died():
                return self._lose(number, message.how)
        return None

    def _result(self, worker: _Worker, done: Done) -> CellResult:
        assert worker.ready is not None, "only then it is sent cells"
        machines = [each.ready.machine for each in self._workers.values() if each.ready]
        share = done.seconds / machines.count(worker.ready.machine)
        return CellResult(worker.cells.popleft().number, done.content, done.seconds, share, worker.ready.name)

    def _lose(self, number: int, how: str) -> CellFailure | None:
        worker = self._workers.pop(number)
        self._crew.end(number)
        self._n_lost += 1
        if not worker.ready:
            self._n_bad_starts += 1
            if self._n_bad_starts >= MOST_STARTS:
                raise WorkersKeepStopping(self._n_bad_starts, how)
            return None
        if not worker.cells:
            return None
        cell = worker.cells.popleft()
        self._waiting.extendleft(reversed(worker.cells))
        tries = self._tries[cell.number] = self._tries.get(cell.number, 0) + 1
        if tries < self._work.tries:
            self._again.append(cell)
            return None
        times = "once" if tries == 1 else f"{tries} times"
        reason = (
            f"it stopped its worker {times} (the last time: {how}). Look for a lack of memory in the ML backend's "
            "log, then start again."
        )
        return CellFailure(cell.number, reason, stopped_worker=True)
