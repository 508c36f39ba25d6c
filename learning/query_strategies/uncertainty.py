"""Items that the model is unsure about. With p_1 ≥ p_2 ≥ … the probabilities of the k answers to a code:

    least confidence   (1 - p_1) · k / (k - 1)
    entropy            -Σ_j p_j log p_j / log k
    margin             1 - (p_1 - p_2)

Each is 0 where the model is certain and 1 where all answers are equally probable, so that codes with two answers
and with five can be put together. With several models the mean of their probabilities is taken. (Settles 2009,
Active Learning Literature Survey, ch. 3.1. For ticks the three order the items of one code alike; over several
codes they differ.)
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from learning.query_strategies.pool import OverCodes, Pool, Scores


def least_confidence(probabilities: NDArray[np.float64]) -> Scores:
    """Of the answers along the last axis.

    >>> least_confidence(np.array([[0.5, 0.5], [0.75, 0.25], [1.0, 0.0]])).tolist()
    [1.0, 0.5, 0.0]
    """
    k = probabilities.shape[-1]
    found: Scores = (1 - probabilities.max(axis=-1)) * k / (k - 1)
    return found


def entropy(probabilities: NDArray[np.float64]) -> Scores:
    """
    >>> entropy(np.array([[0.5, 0.5], [0.9, 0.1], [1.0, 0.0]])).round(3).tolist()
    [1.0, 0.469, 0.0]
    """
    logs = np.log(np.where(probabilities > 0, probabilities, 1))
    found: Scores = -(probabilities * logs).sum(axis=-1) / np.log(probabilities.shape[-1])
    # No minus in front of a zero.
    return found + 0.0


def margin(probabilities: NDArray[np.float64]) -> Scores:
    """
    >>> margin(np.array([[0.5, 0.5, 0.0], [0.6, 0.3, 0.1]])).round(3).tolist()
    [1.0, 0.7]
    """
    ordered = np.sort(probabilities, axis=-1)
    found: Scores = 1 - (ordered[..., -1] - ordered[..., -2])
    return found


@dataclass(frozen=True, slots=True)
class LeastConfidence:
    over: OverCodes = OverCodes.MEAN
    name: ClassVar[str] = "least-confidence"
    is_random: ClassVar[bool] = False

    def scores(self, pool: Pool) -> Scores:
        return pool.score_codes(lambda each: least_confidence(each.mean(axis=0)), self.over)


@dataclass(frozen=True, slots=True)
class Entropy:
    over: OverCodes = OverCodes.MEAN
    name: ClassVar[str] = "entropy"
    is_random: ClassVar[bool] = False

    def scores(self, pool: Pool) -> Scores:
        return pool.score_codes(lambda each: entropy(each.mean(axis=0)), self.over)


@dataclass(frozen=True, slots=True)
class Margin:
    over: OverCodes = OverCodes.MEAN
    name: ClassVar[str] = "margin"
    is_random: ClassVar[bool] = False

    def scores(self, pool: Pool) -> Scores:
        return pool.score_codes(lambda each: margin(each.mean(axis=0)), self.over)
