"""How the votes on an item are spread over labels, and which label a spread points to."""

import numpy as np
from numpy.typing import NDArray

from annotation.consensus.values import Votes

# Two probabilities closer than this are a tie: what is left of a difference then is the order of additions.
_TIE = 1e-9


def vote_counts(votes: Votes) -> NDArray[np.float64]:
    """How many annotators gave item i (row) label k (column)."""
    shape = len(votes.items), len(votes.labels)
    place = votes.on * shape[1] + votes.said
    return np.bincount(place, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)


def normalised(log_weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Each row as probabilities, and the logarithm of what it summed to; safe where exp alone would underflow.

    >>> probabilities, log_sums = normalised(np.array([[-1000.0, -1000.0]]))
    >>> probabilities.tolist(), [round(value, 4) for value in log_sums.tolist()]
    ([[0.5, 0.5]], [-999.3069])
    """
    highest = log_weights.max(axis=1, keepdims=True)
    weights = np.exp(log_weights - highest)
    sums = weights.sum(axis=1, keepdims=True)
    return weights / sums, (highest + np.log(sums))[:, 0]


def likeliest(probabilities: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The most probable label of each row, the first by name where several are, and its probability."""
    highest = probabilities.max(axis=1)
    label = (probabilities >= highest[:, None] - _TIE).argmax(axis=1).astype(np.int64)
    return label, highest
