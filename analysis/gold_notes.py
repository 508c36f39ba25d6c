"""What has to be said about a corrected estimate that rests on little gold."""

import numpy as np

from analysis.clusters import Clusters
from analysis.labels import FEW_GOLD, Labels
from analysis.values import Basis, Places, Way

NO_GOLD_HERE = "Undefined: no gold was drawn here, so that the model's errors are not known."
NO_INTERVAL = "No interval: all items here have the same label, or they come from one cluster."
OUTSIDE = "Outside what can be: too little gold for so rare or so common a code."


def lacks_gold(labels: Labels, way: Way) -> bool:
    return way is Way.CORRECTED and not len(labels.at)


def basis_of(labels: Labels, clusters: Clusters, way: Way, n: int | None = None) -> Basis:
    """Of all items."""
    n_gold = None if way is Way.NAIVE else len(labels.at)
    return Basis(len(labels) if n is None else n, clusters.n, n_gold)


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
    if len(at) < FEW_GOLD:
        return f"Only {len(at)} gold labels: the interval is a guess."
    if not np.any(gold != labels.model[at]):
        return (
            "The model errs on none of the gold labels, so that the interval does not know how often it errs."
        )
    return ""
