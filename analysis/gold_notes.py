"""What has to be said about a corrected estimate that rests on little gold, and what cannot be said at all."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from analysis.clusters import Clusters
from analysis.labels import LEAST_GOLD, LEAST_RARE, Labels
from analysis.values import Basis, Estimate, Finding, Places, Significance, Way

NO_GOLD_HERE = "Undefined: no gold was drawn here, so that the model's errors are not known."
NO_INTERVAL = "No interval: all items here have the same label, or they come from one cluster."
OUTSIDE = "Outside what can be: too little gold for so rare or so common a code."


def lacks_gold(labels: Labels, way: Way) -> bool:
    return way is not Way.NAIVE and not len(labels.at)


def basis_of(labels: Labels, clusters: Clusters, way: Way, n: int | None = None) -> Basis:
    """Of all items."""
    return gold_basis(labels, way, len(labels) if n is None else n, clusters.n)


def gold_basis(
    labels: Labels,
    way: Way,
    n: int,
    n_clusters: int,
    among: Places | None = None,
    effective: float | None = None,
) -> Basis:
    """`among` has the places in `labels.at` that count; `effective` is given where it is not that of these alone."""
    if way is Way.NAIVE:
        return Basis(n, n_clusters)
    n_gold = len(labels.at) if among is None else len(among)
    effective = labels.effective_gold(among) if effective is None else effective
    return Basis(n, n_clusters, n_gold, effective, effective * labels.rare_share())


def degrees_of_freedom(labels: Labels, clusters: Clusters, way: Way) -> int:
    """One less than the clusters that the error comes from: with a correction, those with gold."""
    return (clusters.n if way is Way.NAIVE else clusters.n_among(labels.at)) - 1


def gold_note(labels: Labels, way: Way, among: Places | None = None) -> str:
    """`among` has the places in `labels.at` that count, of a group."""
    if way is Way.NAIVE:
        return ""
    at, gold = (labels.at, labels.gold) if among is None else (labels.at[among], labels.gold[among])
    if not len(at):
        return NO_GOLD_HERE
    if little := too_little(gold_basis(labels, way, 0, 0, among)):
        return little
    if not np.any(gold != labels.model[at]):
        return (
            "The model errs on none of the gold labels, so that the interval does not know how often it errs."
        )
    return ""


def too_little(basis: Basis) -> str:
    """Why gold is not enough for an interval; empty where it is, and of naive estimates.

    >>> too_little(Basis(900, 900, 120, 12.4, 3.0))
    'No interval: the gold here says as much as 12 labels drawn evenly, and an interval needs 50. Draw more.'
    >>> too_little(Basis(900, 900, 120, 120.0, 2.4))
    'No interval: of so rare a code, 2.4 gold labels are to be expected here, and an interval needs 10. Draw more.'
    >>> too_little(Basis(900, 900, 120, 120.0, 19.0))
    ''
    """
    if basis.n_effective is None or basis.n_rare is None:
        return ""
    if basis.n_effective < LEAST_GOLD:
        # Never rounded up to what would be enough
        said = min(round(basis.n_effective), LEAST_GOLD - 1)
        return (
            f"No interval: the gold here says as much as {said} labels drawn evenly, and an interval needs"
            f" {LEAST_GOLD}. Draw more."
        )
    if basis.n_rare < LEAST_RARE:
        rare = min(round(basis.n_rare, 1), LEAST_RARE - 0.1)
        return (
            f"No interval: of so rare a code, {rare:g} gold labels are to be expected here, and an interval needs"
            f" {LEAST_RARE}. Draw more."
        )
    return ""


def effective_in_contrast(factors: Sequence[float], effective: Sequence[float]) -> float:
    """Of a sum of group means by these factors, each mean from so much effective gold: weights within a group are as
    large as the group's factor.

    Against a group with three gold labels, a hundred here help little:

    >>> round(effective_in_contrast([0.5, -0.5], [100.0, 3.0]), 1)
    11.7
    """
    if not all(effective) or not any(factors):
        return 0.0
    spread = sum(factor**2 / n for factor, n in zip(factors, effective, strict=True))
    return float(sum(map(abs, factors)) ** 2 / spread)


def withhold_unsupported(found: Finding) -> Finding:
    """Without interval and test where its gold is less than these need: they would look more certain than anything
    is."""
    if not too_little(found.basis):
        return found
    return replace(
        found,
        estimate=Estimate(found.estimate.value, None, None),
        test=Significance(found.test.name, None, (), None),
    )
