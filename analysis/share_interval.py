"""Intervals of shares that rest on few, unequal or clustered labels.

Wilson's interval of a share θ from n labels asks which shares the data do not speak against, and holds where ± t · se
does not, near 0 and 1. Here n is what the labels are worth: θ(1 - θ) / V, V the variance. As seen in the data V is
unreliable where few labels have the rarer answer, say K of them, and 0 where none has. So it is

    V = (K V_seen + 1.5 V_even) / (K + 1.5),        V_even = θ'(1 - θ') / n_eff,

V_even what a share has by its own size, θ' the share after one more label of each kind, and 1/n_eff the variance of a
weighted mean whose labels hang together within clusters by 0.1,

    1 / n_eff = 0.9 Σ_i w_i² / (Σ w)² + 0.1 Σ_c (Σ_{i in c} w_i)² / (Σ w)².

The quantile is Student's. (Wilson 1927, JASA 22, 209–212; Kish 1965, Survey Sampling; Korn & Graubard 1998, Survey
Methodology 24, 193–201, for effective labels and t; Newcombe 1998, Statistics in Medicine 17, 873–890, for
differences.)
"""

import math
from dataclasses import dataclass

import numpy as np

from analysis.normal import LEVEL
from analysis.values import Estimate, Places, Values

# How much alike labels of one cluster are taken to be, until they show it themselves
_ALIKE = 0.1
# How many labels with the rarer answer V_even counts for, and how many labels of each kind are added to the share
_WEIGHT_OF_EVEN, _ADDED = 1.5, 1.0


@dataclass(frozen=True, slots=True)
class Worth:
    """What gold labels are worth: `effective` as many of equal weight (Kish), `independent` also of clusters apart;
    `n_clusters` is how many they come from."""

    effective: float
    independent: float
    n_clusters: int

    @property
    def df(self) -> float:
        return min(self.independent, self.n_clusters) - 1


def worth_of(weight: Values, clusters: Places) -> Worth:
    """Of labels with these weights, in the clusters of these numbers.

    >>> worth = worth_of(np.ones(4), np.array([0, 0, 7, 7]))
    >>> worth.effective, round(worth.independent, 2), worth.n_clusters
    (4.0, 3.64, 2)
    """
    total = float(weight.sum()) ** 2
    if not total:
        return Worth(0.0, 0.0, 0)
    of_clusters = np.bincount(clusters, weight)
    alone, together = float(weight @ weight) / total, float(of_clusters @ of_clusters) / total
    return Worth(1 / alone, 1 / ((1 - _ALIKE) * alone + _ALIKE * together), int((of_clusters > 0).sum()))


def steadied_variance(share: float, moved: Values, seen: float, worth: Worth) -> float:
    """V, from what each cluster moves the share by and the variance that this comes to.

    >>> even = Worth(100.0, 100.0, 100)
    >>> round(steadied_variance(0.0, np.zeros(100), 0.0, even), 6)
    9.7e-05
    """
    n = worth.independent
    added = (n * share + _ADDED) / (n + 2 * _ADDED)
    even = added * (1 - added) / n
    fourth = float(np.sum(moved**4))
    kinds = float(np.sum(moved**2)) ** 2 / fourth if fourth else 0.0
    rare = min(kinds, n * min(share, 1 - share))
    return (rare * seen + _WEIGHT_OF_EVEN * even) / (rare + _WEIGHT_OF_EVEN)


def share_interval(share: float, variance: float, worth: Worth, ratio: float = 1.0) -> Estimate:
    """`ratio` is the variance as a part of that of gold alone, whose labels are then worth as many times more. A share
    outside 0 and 1, as chance may have it, is brought to the nearer.

    As Wilson's of 10 of 100 but for Student's quantile and the labels that are added:

    >>> found = share_interval(0.1, 0.0009, Worth(100.0, 100.0, 100))
    >>> [round(each or 0, 3) for each in (found.value, found.low, found.high)]
    [0.1, 0.056, 0.173]
    """
    share = min(max(share, 0.0), 1.0)
    labels = worth.independent / ratio if ratio > 0 else worth.independent
    added = (labels * share + _ADDED) / (labels + 2 * _ADDED)
    n = max(added * (1 - added) / variance, 1.0)
    squared = t_quantile(worth.df) ** 2
    middle = (share + squared / (2 * n)) / (1 + squared / n)
    half = math.sqrt(squared * share * (1 - share) / n + (squared / (2 * n)) ** 2) / (1 + squared / n)
    # Rounding may leave a bound that is the share itself on its other side
    return Estimate(share, max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share)))


def difference_interval(one: Estimate, other: Estimate, correlation: float) -> Estimate:
    """Of the first less the second from the interval of each, whose halves are put together side by side.

    >>> found = difference_interval(Estimate(0.5, 0.4, 0.6), Estimate(0.2, 0.15, 0.3), 0.0)
    >>> [round(each or 0, 3) for each in (found.value, found.low, found.high)]
    [0.3, 0.159, 0.412]
    """
    if one.value is None or other.value is None:
        return Estimate(None, None, None)
    value = one.value - other.value
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return Estimate(value, None, None)
    down = _join(one.value - one.low, other.high - other.value, correlation)
    up = _join(one.high - one.value, other.value - other.low, correlation)
    return Estimate(value, value - down, value + up)


def _join(one: float, other: float, correlation: float) -> float:
    return math.sqrt(max(0.0, one**2 + other**2 - 2 * correlation * one * other))


def t_quantile(df: float) -> float:
    from scipy import stats  # takes long to load

    return float(stats.t.ppf((1 + LEVEL) / 2, max(df, 1.0)))
