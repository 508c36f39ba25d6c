"""Any estimate made of labels, in each of three ways: as the model has them, from gold alone, or corrected.

An estimator makes a number of labels with weights, and says how much each item moves it. Asked of the model's labels of
all items it gives the naive estimate; of gold, each label weighted by how many items it stands for, that of gold alone;
and the corrected one is

    θ₀ - λ (θ of the model's labels of the gold items - θ of its labels of all)

with λ as `power_tuning` chooses it. Errors are clustered, and Student's t has as many degrees of freedom as there are
clusters with gold or gold labels of the rarer kind, whichever are fewer, less one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from analysis.clusters import Clusters
from analysis.labels import Labels, count_rare
from analysis.power_tuning import Gap, GoldAlone, tune, unseen_errors
from analysis.values import Places, Values, Way

# With fewer there is no spread to speak of.
LEAST_DF = 2.0
ALL = slice(None)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """An estimate and by how much each item moves it; `leverage` is how much of its own fit each item is, where that is
    more than next to nothing."""

    value: float
    moved: Values
    leverage: Values | None = None


# From a label of each kind, and the weight, of the items at these places.
Estimator = Callable[[Sequence[Values], Values, Places | slice], Fit | None]


@dataclass(frozen=True, slots=True)
class Answer:
    """`weight` is λ; None of naive estimates."""

    value: float
    error: float
    df: float
    weight: float | None = None


def ask(
    estimate: Estimator,
    labels: Sequence[Labels],
    clusters: Clusters,
    way: Way,
    stands_for: Values | None = None,
) -> Answer | None:
    """Of gold that has all the labels. `stands_for` is how much each item counts itself. None where the estimate is not
    defined.

    >>> def mean(columns: Sequence[Values], weight: Values, at: Places | slice) -> Fit:
    ...     value = float(weight @ columns[0] / weight.sum())
    ...     return Fit(value, weight * (columns[0] - value) / weight.sum())
    >>> model, at = np.tile([1.0, 0.0, 1.0, 0.0], 500), np.arange(200)
    >>> labels, items = Labels(model, at, 1 - model[at], np.full(200, 10.0)), Clusters(np.arange(2000), 2000)
    >>> found = [ask(mean, [labels], items, way) for way in (Way.GOLD, Way.CORRECTED)]
    >>> [(each.value, each.weight) for each in found if each]  # the model says the contrary of what is so
    [(0.5, 0.0), (0.5, 0.0)]
    """
    own = np.ones(len(clusters.places)) if stands_for is None else stands_for
    model = [each.model for each in labels]
    by_model = None if way is Way.GOLD else _measure(estimate(model, own, ALL), clusters.places, clusters.n)
    if way is Way.NAIVE:
        if by_model is None:
            return None
        return Answer(by_model.value, _error(by_model, clusters.n), clusters.n - 1)
    at, gold, weight = with_all(labels)
    weight, places = weight * own[at], clusters.places[at]
    alone = _measure(estimate(gold, weight, at), places, clusters.n) if len(at) else None
    if alone is None:
        return None
    rare = min(count_rare(each, weight) for each in gold)
    n_clusters = clusters.n_among(at)
    error, df = _error(alone, n_clusters), max(min(n_clusters, rare) - 1, LEAST_DF)
    if by_model is None:
        return Answer(alone.value, error, df, 0.0)
    on_gold = _measure(estimate([each[at] for each in model], weight, at), places, clusters.n)
    gap = Gap(on_gold.value - by_model.value, on_gold.moved - by_model.moved) if on_gold else None
    one_more = alone.variance / max(rare, 0.5)
    tuned = tune(alone, gap, max(map(unseen_errors, model)) * one_more)
    return Answer(tuned.value, error * float(np.sqrt(tuned.ratio)), df, tuned.weight)


def with_all(labels: Sequence[Labels]) -> tuple[Places, list[Values], Values]:
    """The items with gold for all labels, that gold, and what each stands for.

    >>> one = Labels(np.array([1.0, 1.0]), np.array([0, 1]), np.array([1.0, 0.0]), np.array([2.0, 2.0]))
    >>> other = Labels(np.array([1.0, 0.0]), np.array([1]), np.array([1.0]), np.array([2.0]))
    >>> at, gold, weight = with_all([one, other])
    >>> at.tolist(), [each.tolist() for each in gold], weight.tolist()
    ([1], [[0.0], [1.0]], [2.0])
    """
    at = reduce(np.intersect1d, [each.at for each in labels])
    places = [np.searchsorted(each.at, at) for each in labels]
    gold = [each.gold[where] for each, where in zip(labels, places, strict=True)]
    return at, gold, labels[0].weight[places[0]]


def together(labels: Sequence[Labels]) -> Labels:
    """The gold that several labels have in common, as one label, to count it."""
    at, gold, weight = with_all(labels)
    rarest = min(labels, key=Labels.rare_share)
    return Labels(rarest.model, at, gold[list(labels).index(rarest)], weight)


def _measure(fit: Fit | None, places: Places, n: int) -> GoldAlone | None:
    """With what each cluster moves it by."""
    if fit is None:
        return None
    own = np.zeros(len(fit.moved)) if fit.leverage is None else fit.leverage
    moved, leverage = (np.bincount(places, each, minlength=n).astype(np.float64) for each in (fit.moved, own))
    return GoldAlone(fit.value, moved, leverage)


def _error(found: GoldAlone, n_clusters: int) -> float:
    """Leverage says itself what C/(C - 1) stands for: that an estimate draws clusters to itself."""
    spare = n_clusters / (n_clusters - 1) if n_clusters > 1 else np.nan
    return float(np.sqrt(found.variance * (1.0 if found.leverage.any() else spare)))
