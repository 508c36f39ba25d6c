"""What a measure adds up over items, so that a thousand resamples are one product of matrices."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Entries = tuple[NDArray[np.int64], NDArray[np.int64] | int, NDArray[np.float64] | NDArray[np.int64] | float]

# Larger tables than this are added up entry by entry, resample by resample.
_DENSE_CELLS = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """A sparse table: row `rows[e]` adds `amounts[e]` to column `columns[e]`."""

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    amounts: NDArray[np.float64]
    n_rows: int
    n_columns: int

    def weighted(self, weights: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.float64]:
        """The sums over all rows, each as often as its weight says; one row of sums per row of weights."""
        return self.adder()(weights.astype(np.float64))

    def adder(self) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
        """`weighted` for many weights: the table is laid out once."""
        if self.n_rows * self.n_columns > _DENSE_CELLS:
            return self._added_entry_by_entry
        table = self._dense()
        return lambda weights: weights @ table

    def regrouped(
        self, members: NDArray[np.int64], groups: NDArray[np.int64], times: NDArray[np.float64], n_groups: int
    ) -> "Sums":
        """The table of groups of rows: group `groups[k]` has row `members[k]` as often as `times[k]` says."""
        order = np.argsort(self.rows, kind="stable")
        lengths = np.bincount(self.rows, minlength=self.n_rows)
        starts = np.cumsum(lengths) - lengths
        repeats = lengths[members]
        within = np.arange(repeats.sum()) - np.repeat(np.cumsum(repeats) - repeats, repeats)
        entries = order[np.repeat(starts[members], repeats) + within]
        return Sums(
            rows=np.repeat(groups, repeats),
            columns=self.columns[entries],
            amounts=self.amounts[entries] * np.repeat(times, repeats),
            n_rows=n_groups,
            n_columns=self.n_columns,
        )

    def _added_entry_by_entry(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        found = np.empty((len(weights), self.n_columns))
        for at, weight in enumerate(weights):
            amounts = weight[self.rows] * self.amounts
            found[at] = np.bincount(self.columns, amounts, minlength=self.n_columns)
        return found

    def _dense(self) -> NDArray[np.float64]:
        cells = self.rows * self.n_columns + self.columns
        flat = np.bincount(cells, self.amounts, minlength=self.n_rows * self.n_columns)
        return flat.astype(np.float64).reshape(self.n_rows, self.n_columns)


def sums_of(n_rows: int, n_columns: int, *entries: Entries) -> Sums:
    """A table from pieces of it: rows, the column or columns, and the amount or amounts."""
    nothing: Entries = (np.empty(0, dtype=np.int64), 0, 0.0)
    pieces = [np.broadcast_arrays(rows, columns, amounts) for rows, columns, amounts in (nothing, *entries)]
    rows, columns, amounts = (np.concatenate([piece[at] for piece in pieces]) for at in range(3))
    return Sums(rows, columns, amounts.astype(np.float64), n_rows, n_columns)
