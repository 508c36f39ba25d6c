"""Measures a table of ratings: every statistic with its interval and what the reader has to know about it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.bayesian_bootstrap import resample_posterior, with_unseen
from annotation.agreement.bootstrap import (
    Units,
    Values,
    alike_clusters_as_units,
    cluster_places,
    rows_as_units,
)
from annotation.agreement.clopper_pearson import lowest_without_disagreement, no_disagreement_note
from annotation.agreement.independent_units import independent_units
from annotation.agreement.notes import ONE_ANSWER, coverage_of, estimate, join_notes, nothing_shared
from annotation.agreement.rating_patterns import Patterns, patterns_of
from annotation.agreement.registry import Statistic, statistics
from annotation.agreement.sparse_sums import Sums
from annotation.agreement.totals import RatingSums, mean_of_defined
from annotation.agreement.unseen_items import unseen_size
from annotation.agreement.values import (
    CategoryShare,
    MeasurementLevel,
    PairEstimate,
    Ratings,
    RatingsAgreement,
)

UNKNOWN_RATERS = "The table counts answers: which rater gave which is not known."


@dataclass(frozen=True, slots=True, eq=False)
class Resampled:
    """Row 0 of every array is the table as it is, the others are its resamples; NaN where undefined. What the table
    leaves undefined has no value on a resample either.

    `by_statistic` has a vector for each statistic, `by_pair` a column for each pair of raters, of those that are means
    over pairs; so have `pair_agreement` and `pair_items`.
    """

    by_statistic: dict[str, Values]
    by_pair: dict[str, Values]
    pair_agreement: Values
    pair_items: Values

    @classmethod
    def of(cls, arrays: tuple[Values, ...]) -> "Resampled":
        """From what a RatingsJob measured."""
        *found, pair_agreement, pair_items = arrays
        named = [
            (each, np.where(np.isnan(values[:1]), np.nan, values))
            for each, values in zip(statistics(), found, strict=True)
        ]
        return cls(
            {each.name: mean_of_defined(values) if each.of_pair else values for each, values in named},
            {each.name: values for each, values in named if each.of_pair},
            pair_agreement,
            pair_items,
        )

    @property
    def pair_kappa(self) -> Values:
        return self.by_pair["cohen_kappa_mean"]


class RatingsJob:
    """All statistics on one table of ratings, whose patterns are the rows that `units` are made of; an unseen post has
    as many items as `size` says."""

    def __init__(self, patterns: Patterns, units: Units, level: MeasurementLevel, *, size: float) -> None:
        self._sums = RatingSums(patterns, level)
        self._tables = tuple(
            with_unseen(units.grouped(table), size * unseen)
            for table, unseen in zip(self._sums.tables, self._sums.unseen, strict=True)
        )

    @property
    def tables(self) -> tuple[Sums, ...]:
        return self._tables

    def measured(self, sums: tuple[Values, ...]) -> tuple[Values, ...]:
        totals = self._sums.totals(sums)
        found = (each.function(totals) for each in statistics())
        return (*found, totals.pairs.raw_agreement, totals.pairs.n)


def measure_ratings(
    ratings: Ratings, *, level: MeasurementLevel, resamples: int, seed: int
) -> RatingsAgreement:
    """`level` is what alpha assumes of the ratings; the other statistics compare them as categories.

    >>> from annotation.agreement.ratings import ratings_table
    >>> table = ratings_table([[1, 1], [1, 0], [0, 0], [1, 1], [None, 1]])
    >>> found = measure_ratings(table, level=MeasurementLevel.NOMINAL, resamples=200, seed=1)
    >>> found["raw_agreement"].value, found["cohen_kappa_mean"].value
    (0.75, 0.5)
    >>> found["raw_agreement"].note
    '1 of 5 items has fewer than two ratings and is left out.'
    """
    patterns = patterns_of(ratings)
    clusters, n_clusters = cluster_places(ratings.items, ratings.clusters)
    units = _units(patterns, clusters, n_clusters)
    job = RatingsJob(patterns, units, level, size=unseen_size(patterns, clusters))
    (arrays,) = resample_posterior([job], units.counts, resamples=resamples, seed=seed)
    return agreement_of(ratings, patterns, clusters, Resampled.of(arrays))


def without_pairs(found: RatingsAgreement) -> RatingsAgreement:
    """What can be told where nobody knows who gave which answer: nothing that compares one rater with another.

    >>> from annotation.agreement.ratings import ratings_table
    >>> counted = ratings_table([[1, 1, 0], [0, 0, 0], [1, 1, 1]])
    >>> found = measure_ratings(counted, level=MeasurementLevel.NOMINAL, resamples=0, seed=1)
    >>> (left := without_pairs(found))["cohen_kappa_mean"].value, left["fleiss_kappa"] == found["fleiss_kappa"]
    (None, True)
    """
    of_pairs = {each.name for each in statistics() if each.of_pair}
    estimates = {
        name: replace(each, value=None, low=None, high=None, note=UNKNOWN_RATERS)
        if name in of_pairs
        else each
        for name, each in found.estimates.items()
    }
    return replace(found, estimates=estimates, pairs=())


def _units(patterns: Patterns, clusters: NDArray[np.int64], n_clusters: int) -> Units:
    """Items that nobody rated are not drawn; clusters of one item each are the same as items."""
    rated = patterns.n_ratings > 0
    if n_clusters == len(clusters):
        return rows_as_units(np.where(rated, patterns.counts, 0))
    of_rated = rated[patterns.place]
    kept = np.bincount(clusters[of_rated], minlength=n_clusters) > 0
    places = np.cumsum(kept) - 1
    return alike_clusters_as_units(patterns.place[of_rated], places[clusters[of_rated]], int(kept.sum()))


def agreement_of(
    ratings: Ratings, patterns: Patterns, clusters: NDArray[np.int64], found: Resampled, noun: str = "item"
) -> RatingsAgreement:
    """The numbers of `found`, which has the table itself in row 0, with their notes; `noun` is what a row is."""
    coverage, behind = coverage_of(patterns, noun), independent_units(patterns, clusters)
    shares = prevalence(patterns)
    nobody_differs = found.by_statistic["raw_agreement"][0] == 1
    by_exact_bound = no_disagreement_note(behind.paired, coverage.n_paired, noun) if nobody_differs else ""
    estimates = {
        each.name: estimate(
            found.by_statistic[each.name],
            n_items=coverage.n_paired,
            n_raters=coverage.n_raters,
            n_units=behind.paired,
            note=join_notes(
                coverage.note(each), _undefined_pairs(each, found), by_exact_bound if each.can_be_rule else ""
            ),
            reason=coverage.reason(each),
            lowest=lowest_without_disagreement(each, shares, behind.paired)
            if nobody_differs and not np.isnan(found.by_statistic[each.name][0])
            else None,
        )
        for each in statistics()
    }
    n_ratings = int((patterns.n_ratings * patterns.counts).sum())
    return RatingsAgreement(
        estimates=estimates,
        pairs=_pairs(ratings, found, behind.by_pair, noun),
        prevalence=shares,
        n_ratings=n_ratings,
        n_gaps=ratings.values.size - n_ratings,
        n_units=behind.paired,
    )


def _undefined_pairs(statistic: Statistic, found: Resampled) -> str:
    if not statistic.of_pair:
        return ""
    by_pair = found.by_pair[statistic.name]
    undefined, n_pairs = int(np.isnan(by_pair[0]).sum()), by_pair.shape[1]
    if undefined in (0, n_pairs):
        return ""
    name = statistic.of_pair[0].upper() + statistic.of_pair[1:]
    return f"{name} of {undefined} of {n_pairs} pairs of raters is undefined; the mean is over the others."


def _pairs(
    ratings: Ratings, found: Resampled, n_units: NDArray[np.int64], noun: str
) -> tuple[PairEstimate, ...]:
    return in_order(
        pair_estimate(
            pair,
            found.pair_kappa[:, at],
            found.pair_agreement[:, at],
            n_items=int(found.pair_items[0, at]),
            n_units=(int(n_units[at]), int(n_units[at])),
            noun=noun,
        )
        for at, pair in enumerate(combinations(ratings.raters, 2))
    )


def pair_estimate(
    pair: tuple[str, str],
    kappa: Values,
    agreement: Values,
    *,
    n_items: int,
    n_units: tuple[int, int],
    note: str = "",
    noun: str = "item",
) -> PairEstimate:
    """`n_units` are the posts behind kappa and those behind raw agreement."""
    estimates = [
        estimate(
            values,
            n_items=n_items,
            n_raters=2,
            n_units=n,
            note=note,
            reason=ONE_ANSWER if n_items else nothing_shared(noun),
        )
        for values, n in zip((kappa, agreement), n_units, strict=True)
    ]
    return PairEstimate(min(pair), max(pair), *estimates)


def in_order(pairs: Iterable[PairEstimate]) -> tuple[PairEstimate, ...]:
    return tuple(sorted(pairs, key=lambda pair: (pair.rater, pair.other)))


def prevalence(patterns: Patterns) -> tuple[CategoryShare, ...]:
    """How common each answer is among all ratings, whether or not they can be paired.

    >>> from annotation.agreement.ratings import ratings_table
    >>> [(each.value, each.share) for each in prevalence(patterns_of(ratings_table([[1, 1], [1, 0]])))]
    [(0.0, 0.25), (1.0, 0.75)]
    """
    rows, raters = np.nonzero(patterns.codes >= 0)
    n = np.bincount(
        patterns.codes[rows, raters], patterns.counts[rows], minlength=len(patterns.categories)
    ).astype(np.int64)
    return tuple(
        CategoryShare(float(value), int(count) / int(n.sum()), int(count))
        for value, count in zip(patterns.categories, n, strict=True)
    )
