"""Scores for strategies that choose one item after the other instead of rating each alone."""

from collections.abc import Sequence

import numpy as np

from learning.query_strategies.pool import Scores


def scores_of_order(order: Sequence[int], n_items: int) -> Scores:
    """1 for the first place in the order, falling evenly; 0 for whoever is not in it.

    >>> scores_of_order([2, 0], 3).tolist()
    [0.5, 0.0, 1.0]
    """
    scores = np.zeros(n_items)
    scores[list(order)] = 1 - np.arange(len(order)) / max(1, len(order))
    return scores
