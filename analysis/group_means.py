"""Means by group, such as the share of a code on each platform, in each of the three ways.

Corrected, each group has a λ of its own (`tuned_estimates`), and its variance is that of a share with few labels where
it is one (`share_interval`); sums over groups, differences and tests are made of these.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.clustered_errors import GroupedItems, GroupMeans
from analysis.clusters import Clusters, Groups
from analysis.labels import Labels
from analysis.normal import cut, interval
from analysis.tuned_estimates import Part, mean_of
from analysis.values import Estimate, Places, Values, Way

_NOTHING = Estimate(None, None, None)


@dataclass(frozen=True, slots=True, eq=False)
class GroupEstimates:
    """`means` are there to be combined, NaN of groups without gold; `weights` have λ."""

    means: GroupMeans
    estimates: tuple[Estimate, ...]
    weights: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Members:
    """The items of a group, and their clusters, numbered from 0 without gaps; `known_as` is how all number these."""

    items: Places
    clusters: Clusters
    known_as: Places


class MeansByGroup:
    """Sorts items into groups once, for all codes that are measured on them."""

    def __init__(self, groups: Groups, clusters: Clusters) -> None:
        self._groups, self._clusters = groups, clusters
        self._grouped = GroupedItems(groups, clusters)
        self._members: list[_Members] = []

    def of(self, labels: Labels, way: Way, *, highest: float = 1.0) -> GroupEstimates:
        """`highest` is what no mean can pass.

        >>> groups = Groups(("a", "b"), np.repeat([0, 1], 400))
        >>> truth, at = np.tile([1.0, 0.0], 400), np.arange(0, 800, 3)
        >>> labels = Labels(truth, at, truth[at], np.full(267, 3.0))
        >>> found = MeansByGroup(groups, Clusters(np.arange(800), 800)).of(labels, Way.CORRECTED)
        >>> found.means.means.round(2).tolist(), [round(weight or 0, 1) for weight in found.weights]
        ([0.5, 0.5], [1.0, 1.0])
        """
        naive = self._grouped.means(labels.model)
        if way is Way.NAIVE:
            bounds = zip(naive.means, naive.errors, naive.n_clusters - 1, strict=True)
            estimates = tuple(cut(interval(*each), high=highest) for each in bounds)
            return GroupEstimates(naive, estimates, (None,) * len(estimates))
        n = len(self._groups.names)
        values, moved = np.full(n, np.nan), np.zeros((self._clusters.n, n))
        estimates_of, weights = [_NOTHING] * n, [0.0] * n
        for at, members in enumerate(self._all_members()):
            part = self._part(labels, at, members)
            if not len(part.labels.at):
                moved[:, at] = np.nan
                continue
            found = mean_of(part)
            parts = found.parts if way is Way.CORRECTED else found.gold_parts
            variance = found.corrected_variance if way is Way.CORRECTED else found.variance
            weights[at] = found.parts.weight if way is Way.CORRECTED else 0.0
            estimates_of[at] = cut(found.tuned if way is Way.CORRECTED else found.gold, high=highest)
            values[at] = parts.value
            moved[members.known_as, at] = _scale(parts.moved, variance)
        means = GroupMeans(values, moved.T @ moved, naive.sizes, naive.n_clusters)
        return GroupEstimates(means, tuple(estimates_of), tuple(weights))

    def _all_members(self) -> list[_Members]:
        if not self._members:
            order = np.argsort(self._groups.places, kind="stable")
            ends = np.cumsum(self._groups.sizes)
            for start, end in zip(np.concatenate([[0], ends[:-1]]), ends, strict=True):
                items = order[start:end]
                known_as, places = np.unique(self._clusters.places[items], return_inverse=True)
                self._members.append(_Members(items, Clusters(places, len(known_as)), known_as))
        return self._members

    def _part(self, labels: Labels, at: int, members: _Members) -> Part:
        inside: NDArray[np.bool_] = self._groups.places[labels.at] == at
        gold = np.searchsorted(members.items, labels.at[inside])
        own = Labels(labels.model[members.items], gold, labels.gold[inside], labels.weight[inside])
        return Part(own, np.ones(len(members.items)), members.clusters)


def _scale(moved: Values, variance: float) -> Values:
    """So that its squares add up to the variance."""
    seen = float(moved @ moved)
    if seen > 0:
        return np.asarray(moved * np.sqrt(variance / seen), dtype=np.float64)
    found = np.zeros(len(moved))
    found[0] = np.sqrt(variance)
    return found
