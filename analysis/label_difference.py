"""How an outcome differs between items with a code and without.

With L the label and w the weight of an item, and T the outcome, which is known for every item,

    Δ = Σ wLT / Σ wL - Σ w(1 - L)T / Σ w(1 - L)

and item i moves it by  w_i L_i (T_i - m₁) / Σ wL - w_i (1 - L_i)(T_i - m₀) / Σ w(1 - L),  from which come clustered
errors. On labels of 0 and 1 this is the difference of two means; of probabilities it is one of two mixed groups.
"""

import math
from dataclasses import dataclass

import numpy as np

from analysis.values import Values
from analysis.welch import Moments

TOO_FEW = "Undefined: there are not two items with the code and two without."
TOO_FEW_IN_GOLD = "Undefined: in gold there are not two items with the code and two without; draw more."


@dataclass(frozen=True, slots=True, eq=False)
class LabelDifference:
    """`having` and `lacking` are the items with the code and without; `moved` is what each item moves it by."""

    value: float
    moved: Values
    having: Moments
    lacking: Moments


def label_difference(label: Values, outcome: Values, weight: Values | None = None) -> LabelDifference | None:
    """None where there are no items with the code, or none without.

    >>> label, outcome = np.array([1.0, 1, 0, 0]), np.array([3.0, 5, 1, 1])
    >>> found = label_difference(label, outcome)
    >>> found.value, found.moved.tolist()
    (3.0, [-0.5, 0.5, -0.0, -0.0])
    """
    weight = np.ones(len(label)) if weight is None else weight * (len(label) / float(weight.sum()))
    with_code, without = weight * label, weight * (1 - label)
    n_with, n_without = float(with_code.sum()), float(without.sum())
    if (label > 0).sum() < 2 or (label < 1).sum() < 2 or min(n_with, n_without) <= 0:
        return None
    having, lacking = _moments(with_code, outcome, n_with), _moments(without, outcome, n_without)
    moved = with_code * (outcome - having.mean) / n_with - without * (outcome - lacking.mean) / n_without
    return LabelDifference(having.mean - lacking.mean, moved, having, lacking)


def _moments(weight: Values, outcome: Values, total: float) -> Moments:
    mean = float(weight @ outcome) / total
    variance = float(weight @ (outcome - mean) ** 2) / (total - 1) if total > 1 else math.nan
    return Moments(round(total), mean, variance)
