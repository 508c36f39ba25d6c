"""Accuracy: the share of items on which the model gives the gold answer.

accuracy = Σ_k n_kk / Σ_kl n_kl          n_kl items with the gold answer k and the model's answer l
"""

import numpy as np

from annotation.agreement.bootstrap import Values
from learning.scoring.family import ratio


def accuracy(confusion: Values) -> Values:
    """`confusion[..., k, l]` counts items.

    >>> accuracy(np.array([[[5.0, 1.0], [2.0, 2.0]]])).tolist()
    [0.7]
    """
    return ratio(np.trace(confusion, axis1=-2, axis2=-1), confusion.sum(axis=(-2, -1)))
