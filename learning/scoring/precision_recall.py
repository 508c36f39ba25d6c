"""Precision, recall and F1 of finding a code.

    precision = TP / (TP + FP)     recall = TP / (TP + FN)     F1 = 2 TP / (2 TP + FP + FN)

TP items where gold and model find the code, FP where the model alone does, FN where gold alone does. Precision has
no value where the model finds nothing, recall and F1 have none where gold has nothing to find: no number there
would be about the model. (van Rijsbergen 1979, Information Retrieval, ch. 7.)
"""

import numpy as np

from annotation.agreement.bootstrap import Values
from learning.scoring.family import ratio

NOTHING_FOUND = "Undefined: the model does not find the code in any item."
NOTHING_TO_FIND = "Undefined: gold does not have the code in any item."


def precision(both: Values, model_alone: Values) -> Values:
    """
    >>> precision(np.array([3.0, 0.0]), np.array([1.0, 0.0])).tolist()
    [0.75, nan]
    """
    return ratio(both, both + model_alone)


def recall(both: Values, gold_alone: Values) -> Values:
    """
    >>> recall(np.array([3.0, 0.0]), np.array([3.0, 0.0])).tolist()
    [0.5, nan]
    """
    return ratio(both, both + gold_alone)


def f1(both: Values, model_alone: Values, gold_alone: Values) -> Values:
    """
    >>> f1(np.array([3.0, 0.0, 0.0]), np.array([1.0, 0.0, 2.0]), np.array([3.0, 2.0, 0.0])).tolist()
    [0.6, 0.0, nan]
    """
    found = ratio(2 * both, 2 * both + model_alone + gold_alone)
    return np.where(both + gold_alone > 0, found, np.nan)
