"""A pool without workers: cells are run where it is asked, one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from ml_backend.pools.grid import OnProgress
from ml_backend.pools.interface import (
    Cell,
    CellFailure,
    CellResult,
    Heed,
    Outcomes,
    PoolState,
    Report,
    SetupFailed,
    Work,
    ignore,
)
from ml_backend.pools.worker import Raised, Ready, Told, Worker


@dataclass(frozen=True, slots=True)
class HerePool:
    """`most` cells are run, as if the driver were ended then."""

    most: int | None = None

    def run(
        self, work: Work, cells: Iterable[Cell], *, report: Report = ignore, heed: Heed = ignore
    ) -> Outcomes:
        worker, ready = Worker(), None
        for n_done, cell in enumerate(islice(cells, self.most)):
            ready = ready or worker.load(work)
            if not isinstance(ready, Ready):
                raise SetupFailed(ready.reason)
            report(PoolState(1, 0, n_done, 0))

            def tell(told: Told, number: int = cell.number) -> None:
                heed(number, told.content)

            done = worker.run(cell.payload, tell)
            if isinstance(done, Raised):
                yield CellFailure(cell.number, done.reason)
            else:
                yield CellResult(cell.number, done.content, done.seconds, done.seconds, "here")


def stop_after(n: int) -> OnProgress:
    """As Ctrl-C does once so many cells of a grid are done."""

    def stop(n_done: int, n_cells: int) -> None:
        if n_done == n:
            raise KeyboardInterrupt

    return stop
