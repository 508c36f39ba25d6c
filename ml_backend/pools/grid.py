"""Follows a grid of cells on a pool: keeps each result as it comes, tells how far it is, and at the end what failed.

Whoever has a grid keeps results as files and runs only cells that have none, so that it can be stopped at any moment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ml_backend.learners.interface import Report
from ml_backend.pools.interface import CellFailure, CellOutcome, Outcomes, ignore

# How many of many failures are told.
_TOLD = 3


class CellsFailed(RuntimeError):
    def __init__(self, failures: Sequence[str], n_cells: int) -> None:
        more = f" And {len(failures) - _TOLD} more." if len(failures) > _TOLD else ""
        super().__init__(
            f"{len(failures)} of {n_cells} models could not be trained: {' '.join(failures[:_TOLD])}{more} "
            "The others are kept; the same command tries these again."
        )


class GridStopped(RuntimeError):
    def __init__(self, n_done: int, n_cells: int) -> None:
        super().__init__(f"Stopped with {n_done} of {n_cells} models. The same command goes on from there.")


OnProgress = Callable[[int, int], None]
T = TypeVar("T")


@dataclass
class GridRun:
    """Of `n_cells` in all, `n_done` have a result."""

    n_cells: int
    n_done: int
    report: Report
    on_progress: OnProgress = ignore
    failures: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.on_progress(self.n_done, self.n_cells)

    def follow(self, outcomes: Outcomes, cells: Sequence[T], keep: Callable[[T, bytes], None]) -> None:
        """`cells` in the order of their numbers. Raises GridStopped for a signal, and at the end CellsFailed."""
        try:
            for outcome in outcomes:
                self._take(outcome, cells[outcome.number], keep)
        except KeyboardInterrupt as stopped:
            raise GridStopped(self.n_done, self.n_cells) from stopped
        finally:
            outcomes.close()
        if self.failures:
            raise CellsFailed(self.failures, self.n_cells)

    def _take(self, outcome: CellOutcome, cell: T, keep: Callable[[T, bytes], None]) -> None:
        if isinstance(outcome, CellFailure):
            self.failures.append(f"{cell}: {outcome.reason}")
            self.report(f"Failed: {self.failures[-1]}")
            return
        keep(cell, outcome.content)
        self.n_done += 1
        self.report(f"{self.n_done} of {self.n_cells}: {cell}, {outcome.seconds:.0f} s")
        self.on_progress(self.n_done, self.n_cells)
