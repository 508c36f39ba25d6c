"""What a measure adds up over items, so that a thousand resamples are one product of matrices."""

from collections.abc import Callable, Sequence
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

    @property
    def is_small(self) -> bool:
        return self.n_rows * self.n_columns <= _DENSE_CELLS

    def weighted(self, weights: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.float64]:
        """The sums over all rows, each as often as its weight says; one row of sums per row of weights."""
        return adder([self])(weights.astype(np.float64))[0]

    def regrouped(
        self, members: NDArray[np.int64], groups: NDArray[np.int64], times: NDArray[np.float64], n_groups: int
    ) -> "Sums":
        """The table of groups of rows: group `groups[k]` has row `members[k]` as often as `times[k]` says."""
        if max(n_groups, self.n_columns) * self.n_rows <= _DENSE_CELLS:
            found = np.bincount(groups * self.n_rows + members, times, minlength=n_groups * self.n_rows)
            return _sparse(found.reshape(n_groups, self.n_rows) @ self.dense())
        order = np.argsort(self.rows, kind="stable")
        lengths = np.bincount(self.rows, minlength=self.n_rows)
        starts = np.cumsum(lengths) - lengths
        repeats = lengths[members]
        within = np.arange(repeats.sum()) - np.repeat(np.cumsum(repeats) - repeats, repeats)
        entries = order[np.repeat(starts[members], repeats) + within]
        grouped = Sums(
            rows=np.repeat(groups, repeats),
            columns=self.columns[entries],
            amounts=self.amounts[entries] * np.repeat(times, repeats),
            n_rows=n_groups,
            n_columns=self.n_columns,
        )
        # Many items to a group: what they add to a column is kept once.
        return _sparse(grouped.dense()) if grouped.is_small else grouped

    def groups_with(self, groups: NDArray[np.int64], n_groups: int) -> NDArray[np.int64]:
        """For each column, how many groups add something to it; row r belongs to group `groups[r]`.

        >>> table = sums_of(3, 2, (np.array([0, 1, 2, 2]), np.array([0, 0, 0, 1]), np.array([1, 2, 3, 0])))
        >>> table.groups_with(np.array([0, 0, 1]), 2).tolist()
        [2, 0]
        """
        adds = np.flatnonzero(self.amounts)
        found = np.zeros((n_groups, self.n_columns), dtype=np.bool_)
        found[groups[self.rows[adds]], self.columns[adds]] = True
        counted: NDArray[np.int64] = found.sum(axis=0, dtype=np.int64)
        return counted

    def added_entry_by_entry(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        found = np.empty((len(weights), self.n_columns))
        for at, weight in enumerate(weights):
            amounts = weight[self.rows] * self.amounts
            found[at] = np.bincount(self.columns, amounts, minlength=self.n_columns)
        return found

    def dense(self) -> NDArray[np.float64]:
        cells = self.rows * self.n_columns + self.columns
        flat = np.bincount(cells, self.amounts, minlength=self.n_rows * self.n_columns)
        return flat.astype(np.float64).reshape(self.n_rows, self.n_columns)


def adder(
    tables: Sequence[Sums],
) -> Callable[[NDArray[np.float64]], list[NDArray[np.float64]]]:
    """`weighted` of tables with the same rows, for many weights: they are laid out once.

    One product for each table: side by side, equal tables would be rounded differently by their place.
    """
    laid_out = [table.dense() if table.is_small else None for table in tables]

    def add(weights: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        return [
            table.added_entry_by_entry(weights) if dense is None else weights @ dense
            for table, dense in zip(tables, laid_out, strict=True)
        ]

    return add


def _sparse(table: NDArray[np.float64]) -> Sums:
    rows, columns = np.nonzero(table)
    return Sums(rows, columns, table[rows, columns], *table.shape)


def sums_of(n_rows: int, n_columns: int, *entries: Entries) -> Sums:
    """A table from pieces of it: rows, the column or columns, and the amount or amounts."""
    nothing: Entries = (np.empty(0, dtype=np.int64), 0, 0.0)
    pieces = [np.broadcast_arrays(rows, columns, amounts) for rows, columns, amounts in (nothing, *entries)]
    rows, columns, amounts = (np.concatenate([piece[at] for piece in pieces]) for at in range(3))
    return Sums(rows, columns, amounts.astype(np.float64), n_rows, n_columns)
