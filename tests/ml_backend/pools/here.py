"""A pool without workers: cells are run where it is asked, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice

from ml_backend.failures import reason_of
from ml_backend.pools.interface import (
    MOST_TRIES,
    Cell,
    CellFailure,
    CellResult,
    Outcomes,
    PoolState,
    SetupFailed,
    Work,
    never,
    say_nothing,
)
from ml_backend.pools.worker import CellRunner


@dataclass(frozen=True, slots=True)
class HerePool:
    """`most` cells are run, as if the driver were ended then."""

    most: int | None = None

    def run(
        self,
        work: Work,
        cells: Iterable[Cell],
        *,
        tries: int = MOST_TRIES,
        stop: Callable[[], bool] = never,
        report: Callable[[PoolState], None] = say_nothing,
    ) -> Outcomes:
        runner = None
        for n_done, cell in enumerate(islice(cells, self.most)):
            if stop():
                return
            try:
                runner = runner or CellRunner(work)
            except Exception as problem:
                raise SetupFailed(reason_of(problem)) from problem
            report(PoolState(1, 0, 1, n_done, 0))
            try:
                content, seconds = runner.run(cell.payload)
            except Exception as problem:
                yield CellFailure(cell.number, reason_of(problem))
            else:
                yield CellResult(cell.number, content, seconds, seconds, "here")
