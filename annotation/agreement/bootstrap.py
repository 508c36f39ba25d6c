"""Percentile bootstrap over items, or over posts whose items belong together. (Agreement between annotators draws by
`bayesian_bootstrap` instead, because few items with a rare answer are the rule there.)

Items with the same pattern of ratings are alike, so that resampling n items is one draw from a multinomial
distribution over the patterns: a thousand resamples of 100,000 items cost as much as of a hundred. Posts are grouped
in the same way, by the patterns of all their items. (Efron & Tibshirani 1993, An Introduction to the Bootstrap, ch. 13;
for clusters: Davison & Hinkley 1997, Bootstrap Methods and their Application, ch. 3.8.)

Patterns do not help where many codes must see the same posts drawn. There, more than 5,000 posts are dealt at random
into 5,000 groups of one size, and groups are drawn in place of posts. The total of a group varies as much as its posts
together, so the intervals aim at the same and cost no more however many posts there are (random groups: Wolter 2007,
Introduction to Variance Estimation, ch. 2).
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.sparse_sums import Sums, adder

Values = NDArray[np.float64]

# 95 of 100 intervals shall hold the true value.
_TAILS = (2.5, 97.5)
_ROUNDING = 1e-12
MOST_DRAWN = 5_000
_CELLS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """`undefined` counts the resamples on which the measure has no value; they are left out."""

    low: float | None
    high: float | None
    undefined: int

    @property
    def has_width(self) -> bool:
        """More than rounding makes; an interval that is not there has nothing to be said about."""
        return self.low is None or self.high is None or self.high - self.low > _ROUNDING


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What is drawn with replacement: `counts[u]` units of kind u. Entry e: a unit of kind `kinds[e]` has `times[e]`
    rows `rows[e]` of the tables that are added up."""

    counts: NDArray[np.int64]
    kinds: NDArray[np.int64]
    rows: NDArray[np.int64]
    times: NDArray[np.float64]

    def grouped(self, table: Sums) -> Sums:
        """The table with a row for each kind of unit."""
        return table.regrouped(self.rows, self.kinds, self.times, len(self.counts))


class Job(Protocol):
    """Something to measure on every resample: what it adds up, by kind of unit, and what it makes of the sums."""

    @property
    def tables(self) -> tuple[Sums, ...]: ...

    def measured(self, sums: tuple[Values, ...]) -> tuple[Values, ...]:
        """Arrays whose first axis is that of the sums."""
        ...


# From how many there are of each kind, the number of resamples, the seed, and how many to draw at once: how much each
# kind weighs, first in what was observed and then in each resample.
DrawWeights = Callable[[NDArray[np.int64], int, int, int], Iterator[Values]]


def draw_multinomial(counts: NDArray[np.int64], resamples: int, seed: int, at_once: int) -> Iterator[Values]:
    """Units with replacement, as many as there are."""
    yield counts[None].astype(np.float64)
    rng, total = np.random.default_rng(seed), int(counts.sum())
    for start in range(0, resamples if total else 0, at_once):
        n = min(at_once, resamples - start)
        yield rng.multinomial(total, counts / total, size=n).astype(np.float64)


def resample(
    jobs: Sequence[Job],
    counts: NDArray[np.int64],
    *,
    resamples: int,
    seed: int,
    draw: DrawWeights = draw_multinomial,
) -> list[tuple[Values, ...]]:
    """For each job its arrays, with all units in row 0 and the resamples after it.

    All jobs see the same units drawn, and the same seed draws the same; `counts` tells how many there are of each kind.
    """
    pieces: list[list[tuple[Values, ...]]] = [[] for _ in jobs]
    tables = [table for job in jobs for table in job.tables]
    add = adder(tables)
    width = len(counts) + sum(table.n_columns for table in tables)
    for weights in draw(counts, resamples, seed, max(1, _CELLS_AT_ONCE // max(1, width))):
        sums = iter(add(weights))
        for job, found in zip(jobs, pieces, strict=True):
            found.append(job.measured(tuple(next(sums) for _ in job.tables)))
    return [tuple(np.concatenate(arrays) for arrays in zip(*found, strict=True)) for found in pieces]


def rows_as_units(counts: NDArray[np.int64]) -> Units:
    """Every row of the tables is a kind of unit."""
    rows = np.arange(len(counts))
    return Units(counts, rows, rows, np.ones(len(counts)))


def clusters_as_units(rows: NDArray[np.int64], clusters: NDArray[np.int64], n_clusters: int) -> Units:
    """Every cluster is a kind of its own; item i has row `rows[i]` and belongs to cluster `clusters[i]`."""
    return Units(np.ones(n_clusters, dtype=np.int64), clusters, rows, np.ones(len(rows)))


def alike_clusters_as_units(rows: NDArray[np.int64], clusters: NDArray[np.int64], n_clusters: int) -> Units:
    """Clusters whose items have the same rows, each as often, are of one kind."""
    n_rows = int(rows.max(initial=0)) + 1
    cells, times = np.unique(clusters * n_rows + rows, return_counts=True)
    cluster, row = np.divmod(cells, n_rows)
    # A sum of random numbers, one per row, names the contents: two contents share a name once in 10^19 pairs.
    names = np.random.default_rng(0).integers(0, 1 << 64, size=n_rows, dtype=np.uint64)
    sums = np.zeros(n_clusters, dtype=np.uint64)
    np.add.at(sums, cluster, names[row] * times.astype(np.uint64))
    _, example, kind, counts = np.unique(sums, return_index=True, return_inverse=True, return_counts=True)
    is_example = np.zeros(n_clusters, dtype=np.bool_)
    is_example[example] = True
    kept = is_example[cluster]
    return Units(counts, kind[cluster[kept]], row[kept], times[kept].astype(np.float64))


@dataclass(frozen=True, slots=True, eq=False)
class DrawnUnits:
    """What is drawn in place of posts: post p belongs to `places[p]`, of which there are n."""

    places: NDArray[np.int64]
    n: int

    @property
    def counts(self) -> NDArray[np.int64]:
        return np.ones(self.n, dtype=np.int64)


def resampling_units(n_clusters: int, *, seed: int) -> DrawnUnits:
    """Every post as it is, or random groups of posts where there are very many.

    >>> resampling_units(3, seed=1).places.tolist()
    [0, 1, 2]
    >>> many = resampling_units(12_000, seed=1)
    >>> many.n, sorted(set(np.bincount(many.places).tolist()))
    (5000, [2, 3])
    """
    if n_clusters <= MOST_DRAWN:
        return DrawnUnits(np.arange(n_clusters), n_clusters)
    return DrawnUnits(np.random.default_rng(seed).permutation(n_clusters) % MOST_DRAWN, MOST_DRAWN)


# The codes of a study are measured on the same items one after the other.
@lru_cache(maxsize=1)
def cluster_places(items: tuple[str, ...], clusters: tuple[str, ...]) -> tuple[NDArray[np.int64], int]:
    """The place of each item's cluster in the order of first appearance, and how many clusters there are."""
    if clusters == items:
        return np.arange(len(items)), len(items)
    places: defaultdict[str, int] = defaultdict(count().__next__)
    found = np.fromiter(map(places.__getitem__, clusters), np.int64, len(clusters))
    found.flags.writeable = False
    return found, len(places)


def percentile_interval(resampled: NDArray[np.float64], tails: tuple[float, float] = _TAILS) -> Interval:
    """What lies between the tails, which are percentages, of the values on the resamples; NaN is left out.

    >>> found = percentile_interval(np.append(np.linspace(0, 1, 201), np.nan))
    >>> round(found.low or 0, 3), round(found.high or 0, 3), found.undefined
    (0.025, 0.975, 1)
    """
    defined = resampled[~np.isnan(resampled)]
    undefined = len(resampled) - len(defined)
    if not len(defined):
        return Interval(None, None, undefined)
    low, high = np.percentile(defined, tails)
    return Interval(float(low), float(high), undefined)
