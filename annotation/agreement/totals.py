"""What statistics of agreement are made of: totals over items, on the table itself and on each of its resamples.

Each total is a sum over items, so that a thousand resamples are one product of matrices. There are three kinds: of
categories over all raters, of distances between ratings, and of pairs of raters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.bootstrap import Values
from annotation.agreement.rating_patterns import GAP, Meetings, Patterns, meetings_in, patterns_of
from annotation.agreement.sparse_sums import Sums, sums_of
from annotation.agreement.unseen_items import UnseenItems, unseen_items
from annotation.agreement.values import MeasurementLevel, Ratings

_DISAGREEMENT, _PAIRED, _RATED, _FIRST_CATEGORY = 0, 1, 2, 3


@dataclass(frozen=True, slots=True, eq=False)
class CategoryTotals:
    """With r_ik the number of raters who put item i into category k, and r_i = Σ_k r_ik:

    `disagreement` is the mean over items with r_i ≥ 2 of 1 - Σ_k r_ik (r_ik - 1) / (r_i (r_i - 1)), `shares` has for
    each of the q categories that occur the mean over items with r_i ≥ 1 of r_ik / r_i; `varied` says whether the row
    has more than one category. A row for the table and for each resample.
    """

    disagreement: Values
    shares: Values
    varied: NDArray[np.bool_]

    @classmethod
    def of(cls, sums: Values) -> CategoryTotals:
        counts = sums[:, _FIRST_CATEGORY:]
        with np.errstate(divide="ignore", invalid="ignore"):
            disagreement = sums[:, _DISAGREEMENT] / sums[:, _PAIRED]
            return cls(disagreement, counts / sums[:, _RATED, None], (counts > 0).sum(axis=1) > 1)


def category_sums(patterns: Patterns, meetings: Meetings) -> Sums:
    n = patterns.n_ratings
    rows = np.arange(len(n))
    differ = meetings.rows[meetings.first != meetings.second]
    at, rater = np.nonzero(patterns.codes != GAP)
    return sums_of(
        len(n),
        _FIRST_CATEGORY + len(patterns.categories),
        (differ, _DISAGREEMENT, 2 / (n[differ] * (n[differ] - 1))),
        (rows, _PAIRED, (n >= 2).astype(np.int64)),
        (rows, _RATED, (n >= 1).astype(np.int64)),
        (at, _FIRST_CATEGORY + patterns.codes[at, rater], 1 / n[at]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class DistanceTotals:
    """`met[t, e]` is how much the unlike categories `low[e]` and `high[e]` meet in items, each item weighing 1 / (r_i -
    1); `counts[t, k]` how many ratings of items with r_i ≥ 2 are of category k, whose value is `categories[k]`, around
    the mean of all."""

    met: Values
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    counts: Values
    categories: Values
    level: MeasurementLevel


class Distances:
    """Adds up who meets whom with which answers; a part of its own because models are scored by it, too."""

    def __init__(self, patterns: Patterns, meetings: Meetings, level: MeasurementLevel) -> None:
        self._categories = patterns.categories - (
            patterns.categories.mean() if len(patterns.categories) else 0
        )
        self._level = level
        differ = np.flatnonzero(meetings.first != meetings.second)
        rows, first, second = (each[differ] for each in (meetings.rows, meetings.first, meetings.second))
        n = patterns.n_ratings
        q = len(self._categories)
        kinds = np.minimum(first, second) * q + np.maximum(first, second)
        found, columns = np.unique(kinds, return_inverse=True)
        if not len(found):
            # Nobody differs, but unseen items may.
            found = np.flatnonzero(np.triu(np.ones((q, q)), 1))
        self._low, self._high = np.divmod(found, max(1, q))
        at, rater = np.nonzero((patterns.codes != GAP) & (n >= 2)[:, None])
        self.sums: Sums = sums_of(
            len(n),
            len(found) + len(self._categories),
            (rows, columns.ravel(), 2 / (n[rows] - 1)),
            (at, len(found) + patterns.codes[at, rater], 1),
        )

    def unseen(self, items: UnseenItems) -> Values:
        """What unseen items add: each weighs as much as an item with the mean number of ratings."""
        met = np.zeros((len(items.shares), len(self._low)))
        met[-1] = items.differ[self._low, self._high]
        return items.n_ratings * np.concatenate([met, items.shares], axis=1)

    def totals(self, sums: Values) -> DistanceTotals:
        met, counts = sums[:, : len(self._low)], sums[:, len(self._low) :]
        return DistanceTotals(met, self._low, self._high, counts, self._categories, self._level)


@dataclass(frozen=True, slots=True, eq=False)
class PairTotals:
    """For each pair of raters, in the order of their columns: `n` items that both rated, on `differ` of which they
    disagree, and how often each said each category: `first[t, pair, k]` and `second[t, pair, k]`."""

    n: Values
    differ: Values
    first: Values
    second: Values

    @classmethod
    def of(cls, sums: Values, n_pairs: int) -> PairTotals:
        if not n_pairs:
            nothing = np.empty((len(sums), 0))
            return cls(nothing, nothing, nothing[..., None], nothing[..., None])
        by_pair = sums.reshape(len(sums), n_pairs, -1)
        q = (by_pair.shape[2] - 2) // 2
        # A view of `n` would keep all the sums in memory.
        return cls(by_pair[..., 0].copy(), by_pair[..., 1], by_pair[..., 2 : 2 + q], by_pair[..., 2 + q :])

    @property
    def raw_agreement(self) -> Values:
        """The share of the items that both rated on which they say the same; NaN where there are none."""
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Values = 1 - self.differ / self.n
            return found


def pair_sums(patterns: Patterns, meetings: Meetings) -> Sums:
    q = len(patterns.categories)
    width = 2 + 2 * q
    start = meetings.pair * width
    differ = (meetings.first != meetings.second).astype(np.int64)
    return sums_of(
        len(patterns.codes),
        width * len(meetings.pairs),
        (meetings.rows, start, 1),
        (meetings.rows, start + 1, differ),
        (meetings.rows, start + 2 + meetings.first, 1),
        (meetings.rows, start + 2 + q + meetings.second, 1),
    )


def _pairs_unseen(items: UnseenItems, meetings: Meetings) -> Values:
    """The same for every two raters who meet."""
    n, ones = len(items.shares), np.ones((len(items.shares), 1))
    of_pair = np.concatenate([ones, items.unlike[:, None], items.shares, items.shares], axis=1)
    meet = np.isin(np.arange(len(meetings.pairs)), meetings.pair)
    found: Values = (meet[None, :, None] * of_pair[:, None, :]).reshape(n, -1)
    return found


def _categories_unseen(items: UnseenItems) -> Values:
    ones = np.ones((len(items.shares), 1))
    return np.concatenate([items.unlike[:, None], ones, ones, items.shares], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """All that a statistic can be made of."""

    categories: CategoryTotals
    distances: DistanceTotals
    pairs: PairTotals


class RatingSums:
    """What is added up on a table of ratings, and the totals that it makes; `unseen` is what each item adds that was
    not seen (see `bayesian_bootstrap`), by table."""

    def __init__(self, patterns: Patterns, level: MeasurementLevel) -> None:
        meetings = meetings_in(patterns)
        self._distances = Distances(patterns, meetings, level)
        self._n_pairs = len(meetings.pairs)
        self.tables = (
            category_sums(patterns, meetings),
            self._distances.sums,
            pair_sums(patterns, meetings),
        )
        items = unseen_items(patterns, meetings)
        self.unseen = (
            _categories_unseen(items),
            self._distances.unseen(items),
            _pairs_unseen(items, meetings),
        )

    def totals(self, sums: tuple[Values, ...]) -> Totals:
        by_category, by_distance, by_pair = sums
        return Totals(
            CategoryTotals.of(by_category),
            self._distances.totals(by_distance),
            PairTotals.of(by_pair, self._n_pairs),
        )


def totals_of(ratings: Ratings, level: MeasurementLevel = MeasurementLevel.NOMINAL) -> Totals:
    """Of the table itself, without resamples.

    >>> from annotation.agreement.ratings import ratings_table
    >>> found = totals_of(ratings_table([[1, 1], [1, 0], [0, 1], [1, 1]]))
    >>> found.categories.disagreement.tolist(), found.categories.shares.tolist()
    ([0.5], [[0.25, 0.75]])
    """
    patterns = patterns_of(ratings)
    sums = RatingSums(patterns, level)
    return sums.totals(tuple(table.weighted(patterns.counts[None]) for table in sums.tables))


def mean_of_defined(values: Values) -> Values:
    """The mean along the last axis of what is defined, NaN where nothing is.

    >>> mean_of_defined(np.array([[0.25, np.nan, 0.75], [np.nan, np.nan, np.nan]])).tolist()
    [0.5, nan]
    """
    defined = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        found: Values = np.where(defined, values, 0).sum(axis=-1) / defined.sum(axis=-1)
        return found
