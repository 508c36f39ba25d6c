"""A mean and a slope from labels of a model and gold, of a part of a table or of a corpus.

With w_i how many units a gold label stands for and v_i how much a unit counts itself, the parts of a mean are

    θ₀ = Σ w y / Σ w,        G = Σ w f / Σ w - Σ v f / Σ v

over gold and over all, f what the model says (Hájek 1971: by the weights' own sum, which chance moves along with the
rest); those of the slope of an outcome T on the label are of Σ w (y - ȳ)(T - T̄) / Σ w (y - ȳ)² likewise. `power_tuning`
puts them together.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.clusters import Clusters
from analysis.labels import Labels, count_rare
from analysis.normal import cut, interval
from analysis.power_tuning import Gap, GoldAlone, Tuned, tune, unseen_errors
from analysis.share_interval import Worth, share_interval, steadied_variance, worth_of
from analysis.three_ways import Answer, Fit, ask
from analysis.values import ROUNDING, Estimate, Places, Values, Way


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What a table, a corpus or a group of it has: labels with gold, `stands_for` of each unit, and clusters."""

    labels: Labels
    stands_for: Values
    clusters: Clusters

    @property
    def weight(self) -> Values:
        """How many units each gold label stands for."""
        return self.labels.weight * self.stands_for[self.labels.at]

    @property
    def worth(self) -> Worth:
        return worth_of(self.weight, self.of_gold)

    @property
    def of_gold(self) -> Places:
        """The cluster of each gold label."""
        return self.clusters.places[self.labels.at]

    @property
    def n_clusters(self) -> int:
        return int((np.bincount(self.clusters.places) > 0).sum())

    def where(self, kept: NDArray[np.bool_]) -> "Part":
        """That of some of the units; clusters keep their numbers."""
        labels = self.labels
        with_gold = kept[labels.at]
        at = (np.cumsum(kept) - 1)[labels.at[with_gold]]
        weight = labels.weight[with_gold]
        inside = Labels(labels.model[kept], at, labels.gold[with_gold], weight)
        return Part(inside, self.stands_for[kept], Clusters(self.clusters.places[kept], self.clusters.n))

    @property
    def rare(self) -> float:
        return count_rare(self.labels.gold, self.weight)


@dataclass(frozen=True, slots=True, eq=False)
class WaysOfMean:
    """The mean by the model, by gold, and tuned; `variance` is that of gold alone."""

    naive: Estimate
    gold: Estimate
    tuned: Estimate
    parts: Tuned
    gold_parts: GoldAlone
    variance: float

    @property
    def corrected_variance(self) -> float:
        return self.variance * self.parts.ratio


def mean_of(part: Part) -> WaysOfMean:
    """Of a part with gold.

    >>> model, n = np.tile([1.0, 0.0, 1.0, 0.0], 500), 200
    >>> labels = Labels(model, np.arange(n), model[:n], np.full(n, 10.0))
    >>> found = mean_of(Part(labels, np.ones(2000), Clusters(np.arange(2000), 2000)))
    >>> found.gold.value, found.tuned.value, round(found.parts.weight, 2), round(found.parts.ratio, 2)
    (0.5, 0.5, 0.98, 0.12)
    """
    labels, worth = part.labels, part.worth
    everyone, in_gold = (part.clusters.places, part.clusters.n), (part.of_gold, part.clusters.n)
    by_model, moved_by_model = _mean(labels.model, part.stands_for, *everyone)
    by_gold, moved = _mean(labels.gold, part.weight, *in_gold)
    on_gold, moved_on_gold = _mean(labels.model[labels.at], part.weight, *in_gold)
    alone = GoldAlone(by_gold, moved, np.zeros(len(moved)))
    gap = Gap(on_gold - by_model, moved_on_gold - moved_by_model)
    parts = tune(alone, gap, _unseen(part, alone))
    seen = alone.variance * _spare(worth.n_clusters)
    naive = _by_t(
        by_model, float(moved_by_model @ moved_by_model) * _spare(part.n_clusters), part.n_clusters - 1
    )
    if not labels.has_ticks:
        gold, tuned = (_by_t(value, seen * ratio, worth.df) for value, ratio in _pairs(by_gold, parts))
        return WaysOfMean(naive, gold, tuned, parts, alone, seen)
    variance = steadied_variance(by_gold, moved, seen, worth)
    gold, tuned = (
        share_interval(value, variance * ratio, worth, ratio) for value, ratio in _pairs(by_gold, parts)
    )
    return WaysOfMean(cut(naive, high=1), gold, tuned, parts, alone, variance)


def slope_of(part: Part, outcome: Values) -> dict[Way, Answer] | None:
    """Of an outcome on the label; None where gold has but one answer, and without the naive way where the model has."""

    def estimate(label: Sequence[Values], weight: Values, at: Places | slice) -> Fit | None:
        return _slope(label[0], outcome[at], weight)

    found = {way: ask(estimate, [part.labels], part.clusters, way, part.stands_for) for way in Way}
    return {way: each for way, each in found.items() if each} if found[Way.GOLD] else None


def _unseen(part: Part, alone: GoldAlone) -> float:
    """Of a share, what one more label of average weight moves it by, squared."""
    of_one = (1 / part.worth.effective) ** 2 if part.labels.has_ticks else _of_one_more(part, alone)
    return unseen_errors(part.labels.model) * of_one


def _of_one_more(part: Part, alone: GoldAlone) -> float:
    """What one more label of the rarer kind adds to the variance, if it moves the estimate as those that are there."""
    return alone.variance / max(part.rare, 0.5)


def _pairs(by_gold: float, parts: Tuned) -> tuple[tuple[float, float], tuple[float, float]]:
    return (by_gold, 1.0), (parts.value, parts.ratio)


def _mean(values: Values, weight: Values, places: Places, n: int) -> tuple[float, Values]:
    total = float(weight.sum())
    mean = float(weight @ values) / total
    return mean, _sums(weight * (values - mean) / total, places, n)


def _slope(label: Values, outcome: Values, weight: Values) -> Fit | None:
    total = float(weight.sum())
    away = label - float(weight @ label) / total
    spread = float(weight @ away**2)
    if not spread > ROUNDING * total * float(np.abs(label).max() ** 2):
        return None
    from_mean = outcome - float(weight @ outcome) / total
    slope = float(weight @ (away * from_mean)) / spread
    moved = weight * away * (from_mean - slope * away) / spread
    return Fit(slope, moved, weight * away**2 / spread + weight / total)


def _sums(values: Values, places: Places, n: int) -> Values:
    """Of each of n clusters; those without gold have 0."""
    return np.bincount(places, values, minlength=n).astype(np.float64, copy=False)


def _by_t(value: float, variance: float, df: float) -> Estimate:
    return interval(value, float(np.sqrt(variance)), df)


def _spare(n_clusters: int) -> float:
    """C/(C - 1): what clusters' own mean hides of their spread."""
    return n_clusters / (n_clusters - 1) if n_clusters > 1 else 1.0
