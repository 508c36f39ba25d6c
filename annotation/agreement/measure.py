"""Measures a table of ratings: every measure with its interval and what the reader has to know about it."""

from collections.abc import Iterable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.no_disagreement import no_disagreement_note
from annotation.agreement.notes import ALIKE, ONE_ANSWER, coverage_of, estimate, joined, nothing_shared
from annotation.agreement.patterns import Patterns, patterns_of
from annotation.agreement.resampling import (
    Units,
    Values,
    alike_clusters_as_units,
    cluster_places,
    resampled,
    rows_as_units,
)
from annotation.agreement.sampled import RatingsJob, Sampled, sampled
from annotation.agreement.units_behind import units_behind
from annotation.agreement.values import (
    CategoryShare,
    Measure,
    MeasurementLevel,
    PairEstimate,
    Ratings,
    RatingsAgreement,
)


def measure_ratings(
    ratings: Ratings, *, level: MeasurementLevel, resamples: int, seed: int
) -> RatingsAgreement:
    """`level` is what alpha assumes of the ratings; the other measures compare them as categories.

    >>> from annotation.agreement.ratings import ratings_table
    >>> table = ratings_table([[1, 1], [1, 0], [0, 0], [1, 1], [None, 1]])
    >>> found = measure_ratings(table, level=MeasurementLevel.NOMINAL, resamples=200, seed=1)
    >>> found.raw_agreement.value, found.cohen_kappa_mean.value
    (0.75, 0.5)
    >>> found.raw_agreement.note
    '1 of 5 items has fewer than two ratings and is left out.'
    """
    patterns = patterns_of(ratings)
    clusters, n_clusters = cluster_places(ratings.items, ratings.clusters)
    units = _units(patterns, clusters, n_clusters)
    (arrays,) = resampled([RatingsJob(patterns, units, level)], units.counts, resamples=resamples, seed=seed)
    return agreement_of(ratings, patterns, clusters, sampled(arrays))


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
    ratings: Ratings, patterns: Patterns, clusters: NDArray[np.int64], found: Sampled, noun: str = "item"
) -> RatingsAgreement:
    """The numbers of `found`, which has the table itself in row 0, with their notes; `noun` is what a row is."""
    coverage, behind = coverage_of(patterns, noun), units_behind(patterns, clusters)
    nobody_differs = found.by_measure[Measure.RAW_AGREEMENT][0] == 1
    by_measure = {
        measure: estimate(
            found.by_measure[measure],
            n_items=coverage.n_paired,
            n_raters=coverage.n_raters,
            n_units=behind.paired,
            note=joined(coverage.note(measure), _undefined_pairs(measure, found)),
            reason=coverage.reason(measure),
            alike=no_disagreement_note(behind.paired, coverage.n_paired, noun) if nobody_differs else ALIKE,
        )
        for measure in Measure
    }
    n_ratings = int((patterns.n_ratings * patterns.counts).sum())
    return RatingsAgreement(
        **{measure.value: by_measure[measure] for measure in Measure},
        pairs=_pairs(ratings, found, behind.by_pair, noun),
        prevalence=prevalence(patterns),
        n_ratings=n_ratings,
        n_gaps=ratings.values.size - n_ratings,
        n_units=behind.paired,
    )


def _undefined_pairs(measure: Measure, found: Sampled) -> str:
    undefined, n_pairs = int(np.isnan(found.pair_kappa[0]).sum()), found.pair_kappa.shape[1]
    if measure is not Measure.COHEN_KAPPA_MEAN or undefined in (0, n_pairs):
        return ""
    return f"Kappa of {undefined} of {n_pairs} pairs of raters is undefined; the mean is over the others."


def _pairs(
    ratings: Ratings, found: Sampled, n_units: NDArray[np.int64], noun: str
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
