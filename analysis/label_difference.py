"""How an outcome differs between items with a code and without, when the code is only known through a model.

With L̃ the label, naive or a pseudo-outcome (`labels`), and T the outcome, which is known for every item,

    Δ = Σ L̃T / Σ L̃ - Σ (1 - L̃)T / Σ (1 - L̃)

and item i moves it by  L̃_i (T_i - m₁) / Σ L̃ - (1 - L̃_i)(T_i - m₀) / Σ (1 - L̃),  from which come clustered errors.
On labels of 0 and 1 this is the difference of two means; pseudo-outcomes keep it right on average, because L̃T is one
for LT.
"""

import math
from dataclasses import dataclass

from analysis.clustered_errors import clustered_error
from analysis.clusters import Clusters
from analysis.values import Values
from analysis.welch import Moments

TOO_FEW = "Undefined: there are not two items with the code and two without."
NOT_POSITIVE = "Undefined: corrected, no items are left with the code or without; draw more gold."


@dataclass(frozen=True, slots=True)
class LabelDifference:
    """`having` and `lacking` are the items with the code and without, as far as the labels know."""

    value: float
    error: float
    having: Moments
    lacking: Moments


def label_difference(label: Values, outcome: Values, clusters: Clusters) -> LabelDifference | None:
    """None where there are no items with the code, or none without.

    >>> import numpy as np
    >>> label, outcome = np.array([1.0, 1, 0, 0]), np.array([3.0, 5, 1, 1])
    >>> found = label_difference(label, outcome, Clusters(np.arange(4), 4))
    >>> found.value, round(found.error, 4)
    (3.0, 0.8165)
    """
    with_code, without = float(label.sum()), float(len(label) - label.sum())
    if with_code <= 1 or without <= 1:
        return None
    having = _moments(label, outcome, with_code)
    lacking = _moments(1 - label, outcome, without)
    moved = label * (outcome - having.mean) / with_code - (1 - label) * (outcome - lacking.mean) / without
    return LabelDifference(having.mean - lacking.mean, clustered_error(moved, clusters), having, lacking)


def _moments(weight: Values, outcome: Values, total: float) -> Moments:
    mean = float(weight @ outcome) / total
    variance = float(weight @ (outcome - mean) ** 2) / (total - 1)
    return Moments(round(total), mean, variance if variance > 0 or _is_plain(weight) else math.nan)


def _is_plain(weight: Values) -> bool:
    return bool(((weight == 0) | (weight == 1)).all())
