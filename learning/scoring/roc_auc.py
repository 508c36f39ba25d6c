"""The area under the receiver operating characteristic, from ranks.

    AUC = (R - n₁ (n₁ + 1) / 2) / (n₁ n₀)

R is the sum of the ranks of the n₁ positive scores among all, ties sharing the mean of theirs: the probability that a
positive one is scored above a negative one, ties counting half (Hanley & McNeil 1982, Radiology 143, 29–36).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def roc_auc(scores: NDArray[np.float64], gold: NDArray[np.bool_]) -> float | None:
    """None where gold has one class alone.

    >>> roc_auc(np.array([0.1, 0.4, 0.35, 0.8]), np.array([False, False, True, True]))
    0.75
    >>> roc_auc(np.zeros(3), np.array([True, False, False]))
    0.5
    """
    n_positive, n_negative = int(gold.sum()), int((~gold).sum())
    if not n_positive or not n_negative:
        return None
    _, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return float((ranks[gold].sum() - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative))
