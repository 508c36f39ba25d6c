"""Means by group with errors that know what belongs together.

For groups g with n_g items and cluster sums, the mean is θ_g = Σ_{i∈g} y_i / n_g, cluster c moves it by

    ψ_cg = Σ_{i∈c, i∈g} (y_i - θ_g) / n_g        and        Cov(θ) = C/(C - 1) Σ_c ψ_c ψ_cᵀ

with C clusters. The same sandwich holds for anything that single items move by ψ_i: a difference, a correlation, a
coefficient. (Liang & Zeger 1986, Biometrika 73, 13–22; Cameron & Miller 2015, Journal of Human Resources 50, 317–372.)
"""

from dataclasses import dataclass

import numpy as np

from analysis.clusters import Clusters, Groups
from analysis.values import Places, Values


@dataclass(frozen=True, slots=True, eq=False)
class GroupMeans:
    """`sizes` counts the items of each group, `n_clusters` what they come from."""

    means: Values
    covariance: Values
    sizes: Places
    n_clusters: Places

    @property
    def errors(self) -> Values:
        return np.sqrt(np.diag(self.covariance))

    def combined(self, weights: Values) -> tuple[Values, Values]:
        """Sums of means by the rows of weights, and their standard errors."""
        covariance = weights @ self.covariance @ weights.T
        return weights @ self.means, np.sqrt(np.maximum(np.diag(covariance), 0))


class GroupedItems:
    """Counts the items of every cluster in every group once, for all codes that are measured on them."""

    def __init__(self, groups: Groups, clusters: Clusters) -> None:
        self._n_groups, self._n_clusters = len(groups.names), clusters.n
        self._groups = groups.places
        self._cells = clusters.places * self._n_groups + groups.places
        self._counts = self._sum_by_cluster(None)
        self._sizes = groups.sizes
        self._n_clusters_in = (self._counts > 0).sum(axis=0)

    def _sum_by_cluster(self, values: Values | None) -> Values:
        found = np.bincount(self._cells, values, minlength=self._n_groups * self._n_clusters)
        return found.reshape(self._n_clusters, self._n_groups).astype(np.float64, copy=False)

    def means(self, values: Values) -> GroupMeans:
        """
        >>> groups = Groups(("a", "b"), np.array([0, 0, 0, 0, 1, 1]))
        >>> items = GroupedItems(groups, Clusters(np.array([0, 0, 1, 1, 2, 3]), 4))
        >>> found = items.means(np.array([1.0, 1.0, 0.0, 0.0, 1.0, 0.0]))
        >>> found.means.tolist(), found.errors.round(4).tolist()  # four items of a are worth two posts
        ([0.5, 0.5], [0.4082, 0.4082])
        """
        sums = self._sum_by_cluster(values)
        means = sums.sum(axis=0) / self._sizes
        moved = (sums - means * self._counts) / self._sizes
        return GroupMeans(means, _sandwich(moved), self._sizes, self._n_clusters_in)


def clustered_error(influence: Values, clusters: Clusters) -> float:
    """The standard error of an estimate that item i moves by `influence[i]`.

    >>> clustered_error(np.array([0.25, 0.25, -0.25, -0.25]), Clusters(np.array([0, 0, 1, 1]), 2))
    1.0
    """
    return float(np.sqrt(_sandwich(clusters.sums(influence)[:, None])[0, 0]))


def clustered_covariance(influence: Values, clusters: Clusters) -> Values:
    """The same for many estimates, a column each."""
    return _sandwich(np.stack([clusters.sums(column) for column in influence.T], axis=1))


def _sandwich(moved: Values) -> Values:
    n = len(moved)
    found: Values = moved.T @ moved * (n / (n - 1) if n > 1 else np.nan)
    return found
