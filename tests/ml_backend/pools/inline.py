"""A pool whose only worker is the process itself: nothing has to be started, and nothing is tried again."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ml_backend.failures import reason_of
from ml_backend.pools.interface import (
    MOST_TRIES,
    Cell,
    CellFailure,
    CellResult,
    Outcomes,
    PoolState,
    Work,
    never,
    say_nothing,
)
from ml_backend.pools.worker import CellRunner


class InlinePool:
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
        for n_done, cell in enumerate(cells):
            if stop():
                return
            runner = runner or CellRunner(work)
            try:
                content, seconds = runner.run(cell.payload)
            except Exception as problem:
                yield CellFailure(cell.number, reason_of(problem))
                continue
            report(PoolState(1, 0, 0, n_done + 1, 0))
            yield CellResult(cell.number, content, seconds, seconds, "here")
