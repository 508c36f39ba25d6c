"""What a pool is: it runs one function over many cells and gives their results in the order in which they are done.

    pool = LocalPool(workers=4)
    work = Work("ml_backend.curves.cells.run_cell")
    for outcome in pool.run(work, (Cell(n, payload) for n, payload in enumerate(payloads))):
        match outcome:
            case CellResult():
                keep(outcome.number, outcome.content)
            case CellFailure():
                raise SystemExit(str(outcome))

A cell is bytes in and bytes out, so that a worker needs no folder that it shares with whoever runs the pool. The
driver, which is the process that calls `run`, is the only one that writes: it keeps each result as it comes, and
leaves out what it has already when it is started again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Protocol

MOST_TRIES = 3


@dataclass(frozen=True, slots=True)
class Work:
    """What every worker of a run does. `function` and `setup` are dotted names of functions at the top of a module.

    Without `setup`, `function(payload)` gives the result of a cell. With it, each worker calls `setup(shared)` once, as
    to load a model, and then `function(what it gave, payload)` for each cell. A function that `tells` is given another
    function last, and calls it with bytes that the driver is to have before the cell is done.

    So many cells as `ahead` wait at a worker beside the one in hand, which is worth it where cells take less than a
    second. A cell whose worker dies is tried again after the others, up to so many `tries` in all.
    """

    function: str
    setup: str | None = None
    shared: bytes = b""
    ahead: int = 0
    tells: bool = False
    tries: int = MOST_TRIES


@dataclass(frozen=True, slots=True)
class Cell:
    number: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class CellResult:
    """`seconds` are by the clock in the worker, those of loading with its first cell; `machine_seconds` are these
    divided by the workers that shared the machine."""

    number: int
    content: bytes
    seconds: float
    machine_seconds: float
    worker: str


@dataclass(frozen=True, slots=True)
class CellFailure:
    """The function raised, or the cell stopped its worker too often. The other cells go on."""

    number: int
    reason: str
    stopped_worker: bool = False

    def __str__(self) -> str:
        return f"Cell {self.number}: {self.reason}"


CellOutcome = CellResult | CellFailure
# To iterate over; `close()` ends the workers before all is done
Outcomes = Generator[CellOutcome, None, None]


@dataclass(frozen=True, slots=True)
class PoolState:
    """`n_workers` are ready, `n_starting` load; `n_done` cells have an outcome."""

    n_workers: int
    n_starting: int
    n_done: int
    n_lost_workers: int


class SetupFailed(RuntimeError):
    """No worker can begin, so that no cell could be done."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)


class WorkersKeepStopping(SetupFailed):
    def __init__(self, times: int, how: str) -> None:
        super().__init__(
            f"{times} workers in a row stopped while they were starting (the last one: {how}). "
            "Look for a lack of memory in the ML backend's log, then start again."
        )


Report = Callable[[PoolState], None]
# Of which cell, and what
Heed = Callable[[int, bytes], None]


def ignore(*_: object) -> None:
    """For who does not want to know."""


class Pool(Protocol):
    def run(
        self, work: Work, cells: Iterable[Cell], *, report: Report = ignore, heed: Heed = ignore
    ) -> Outcomes:
        """Each cell gets one outcome, in the order in which they are done. What cells tell before is given to `heed`.

        Cells are taken from the iterable as workers become free. Once who iterates ends, the workers are stopped at
        once. Raises SetupFailed.
        """
        ...
