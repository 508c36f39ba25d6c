"""What belongs together: replies to one post are not independent, and errors must say so."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.values import Places, Values


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Item i is in group `places[i]`, which is called `names[places[i]]`; names in alphabetical order."""

    names: tuple[str, ...]
    places: Places

    @property
    def sizes(self) -> Places:
        return np.bincount(self.places, minlength=len(self.names))


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Item i is in cluster `places[i]` of n. With a cluster for each item, all are independent."""

    places: Places
    n: int

    @property
    def are_items(self) -> bool:
        return self.n == len(self.places)

    def sums(self, values: Values) -> Values:
        """Of each cluster."""
        if self.are_items:
            return values
        return np.bincount(self.places, values, minlength=self.n).astype(np.float64, copy=False)

    def where(self, kept: NDArray[np.bool_]) -> "Clusters":
        """Those of some of the items."""
        return Clusters(*_without_gaps(self.places[kept]))

    def n_among(self, items: Places) -> int:
        """How many clusters these items come from."""
        return len(np.unique(self.places[items]))


def groups_of(column: pl.Series) -> Groups:
    """
    >>> groups = groups_of(pl.Series(["work", "home", "work"]))
    >>> groups.names, groups.places.tolist()
    (('home', 'work'), [1, 0, 1])
    """
    raw, kept = _number_values(column)
    first = np.zeros(kept, dtype=np.int64)
    first[raw[::-1]] = np.arange(len(raw))[::-1]
    names = column.gather(first).cast(pl.String()).to_list()
    order = sorted(range(kept), key=names.__getitem__)
    rank = np.empty(kept, dtype=np.int64)
    rank[order] = np.arange(kept)
    return Groups(tuple(names[at] for at in order), rank[raw])


def clusters_of(column: pl.Series) -> Clusters:
    """
    >>> clusters_of(pl.Series(["p1", "p2", "p1"])).sums(np.array([1.0, 2.0, 3.0])).tolist()
    [4.0, 2.0]
    """
    return Clusters(*_number_values(column))


def _number_values(column: pl.Series) -> tuple[Places, int]:
    """Equal values have equal numbers from 0 without gaps, by hashing: sorting 18 million names takes minutes.

    Numbers follow the order in which values appear. Those of polars follow what else the process has read, and sums in
    another order end in other last digits, so that one corpus would give two reports.
    """
    if column.dtype not in (pl.Categorical, pl.Enum):
        column = column.cast(pl.String()).cast(pl.Categorical())
    raw, n = _without_gaps(column.to_physical().to_numpy().astype(np.int64))
    first = np.zeros(n, dtype=np.int64)
    first[raw[::-1]] = np.arange(len(raw))[::-1]
    rank = np.empty(n, dtype=np.int64)
    rank[np.argsort(first)] = np.arange(n)
    return rank[raw], n


def _without_gaps(numbers: Places) -> tuple[Places, int]:
    """
    >>> _without_gaps(np.array([7, 2, 7]))[0].tolist()
    [1, 0, 1]
    """
    taken = np.bincount(numbers) > 0
    return (np.cumsum(taken) - 1)[numbers], int(taken.sum())
