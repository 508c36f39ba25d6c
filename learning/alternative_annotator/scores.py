"""How well one label agrees with those of the other annotators, for each kind of label."""

import math
from collections.abc import Hashable, Sequence
from enum import StrEnum

from learning.scoring.evidence_overlap import token_f1


class ScoreName(StrEnum):
    ACCURACY = "accuracy"
    RMSE = "rmse"
    TOKEN_F1 = "token-f1"


def share_equal(label: Hashable, others: Sequence[Hashable]) -> float:
    """For labels without an order.

    >>> share_equal("yes", ["yes", "no", "yes", "yes"])
    0.75
    """
    return sum(label == other for other in others) / len(others)


def minus_rmse(label: float, others: Sequence[float]) -> float:
    """For ratings: minus the root of the mean squared distance, so that higher is better.

    >>> minus_rmse(3.0, [3.0, 5.0, 4.0, 1.0])
    -1.5
    """
    # Added exactly, so that two labels that are equally far off tie in whatever order the others come.
    return -math.sqrt(math.fsum((label - other) ** 2 for other in others) / len(others))


def mean_token_f1(label: frozenset[int], others: Sequence[frozenset[int]]) -> float:
    """For marked words: the mean token F1, which is 1 where both mark nothing.

    >>> mean_token_f1(frozenset({1, 2}), [frozenset({1, 2}), frozenset({2, 3}), frozenset()])
    0.5
    """
    return math.fsum(token_f1(list(other), list(label), both_empty=1.0) for other in others) / len(others)
