"""Spearman's rank correlation between raters: whether they put items in the same order, whatever numbers they use.

    r = corr(rank(x), rank(y)), ties sharing the mean of their ranks, over items that both rated

With more than two raters it is the mean over pairs. It is a companion of Krippendorff's alpha for ratings, not a
measure of agreement: a rater who is always one point higher has r = 1. Intervals are by the percentile bootstrap over
clusters of items. (Spearman 1904, American Journal of Psychology 15, 72–101.)
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from annotation.agreement.bootstrap import Values, cluster_places, percentile_interval
from annotation.agreement.values import Ratings


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """None where no pair of raters has two different ratings each on the items that both rated."""

    value: float | None
    low: float | None
    high: float | None
    n_items: int


def spearman_r(ratings: Ratings, *, resamples: int, seed: int) -> RankCorrelation:
    """
    >>> from annotation.agreement.ratings import ratings_table
    >>> table = ratings_table([[1, 2], [2, 3], [3, 3], [4, 5]])
    >>> round(spearman_r(table, resamples=0, seed=1).value, 4)
    0.9487
    """
    values = ratings.values
    places, n_clusters = cluster_places(ratings.items, ratings.clusters)
    members = [np.flatnonzero(places == at) for at in range(n_clusters)]
    rng = np.random.default_rng(seed)
    drawn = np.array(
        [
            _mean_over_pairs(
                values[np.concatenate([members[at] for at in rng.integers(n_clusters, size=n_clusters)])]
            )
            for _ in range(resamples if n_clusters > 1 else 0)
        ]
    )
    n_items = int(((~np.isnan(values)).sum(axis=1) > 1).sum())
    value = _mean_over_pairs(values)
    if np.isnan(value):
        return RankCorrelation(None, None, None, n_items)
    interval = percentile_interval(drawn) if len(drawn) else None
    low, high = (interval.low, interval.high) if interval else (None, None)
    return RankCorrelation(value, low, high, n_items)


def _mean_over_pairs(values: Values) -> float:
    found = [
        _of_pair(values[:, one], values[:, other]) for one, other in combinations(range(values.shape[1]), 2)
    ]
    defined = [each for each in found if not np.isnan(each)]
    return float(np.mean(defined)) if defined else float("nan")


def _of_pair(first: Values, second: Values) -> float:
    both = ~(np.isnan(first) | np.isnan(second))
    x, y = _ranks(first[both]), _ranks(second[both])
    if len(x) < 2 or not x.std() or not y.std():
        return float("nan")
    return float(np.corrcoef(x, y)[0, 1])


def _ranks(values: Values) -> Values:
    """
    >>> _ranks(np.array([3.0, 1.0, 3.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    found: Values = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return found
