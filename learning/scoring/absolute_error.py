"""Mean absolute error on a rating scale: how many points the model is off, on average.

MAE = Σ_i |predicted_i - gold_i| / n
"""

import numpy as np

from annotation.agreement.bootstrap import Values
from learning.scoring.family import ratio


def absolute_error(confusion: Values) -> Values:
    """The points of a scale are one apart.

    >>> absolute_error(np.array([[[1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]])).tolist()  # (1 + 2) / 4
    [0.75]
    """
    places = np.arange(confusion.shape[-1])
    off = np.abs(places[:, None] - places)
    return ratio((confusion * off).sum(axis=(-2, -1)), confusion.sum(axis=(-2, -1)))
