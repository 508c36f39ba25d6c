"""Quadratic-weighted kappa of gold and model on ordered levels: being two levels off costs four times as much as one.

    κ_w = 1 - Σ_kl (k - l)² n_kl / Σ_kl (k - l)² n_k· n_·l / n

No value where gold and model give one and the same answer to all items. (Cohen 1968, Psychological Bulletin 70,
213–220.)
"""

import numpy as np

from annotation.agreement.bootstrap import Values
from learning.scoring.family import ratio

ONE_ANSWER = "Undefined: gold and model give one and the same answer to all items."


def quadratic_kappa(confusion: Values) -> Values:
    """
    >>> quadratic_kappa(np.array([[[2.0, 1.0], [0.0, 1.0]], [[4.0, 0.0], [0.0, 0.0]]])).tolist()  # 1 - 1 / (8 / 4)
    [0.5, nan]
    """
    places = np.arange(confusion.shape[-1])
    cost = (places[:, None] - places) ** 2
    gold, model = confusion.sum(axis=-1), confusion.sum(axis=-2)
    expected = (gold[..., :, None] * model[..., None, :] * cost).sum(axis=(-2, -1))
    observed = (confusion * cost).sum(axis=(-2, -1)) * confusion.sum(axis=(-2, -1))
    return 1 - ratio(observed, expected)
