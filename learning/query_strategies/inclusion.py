"""How probable it was that an item came into a batch that a random stream and a strategy fill together.

Of N items m are drawn at random first, each with the same probability; the k best of the rest by the strategy's
order come after them. The item of rank r (1 is best) is in the batch if it is drawn, or if at least r - k of the r
- 1 items before it are, which makes room for it:

    π_r = m/N + (1 - m/N) · P(H ≥ r - k),        H hypergeometric: m drawn of N - 1 items, r - 1 of them before it

given that it is not drawn itself. So π_r = 1 for r ≤ k, π_r = m/N for r > k + m, and Σ_r π_r = m + k. Nobody's
probability is below m/N, so that gold from such batches can be weighted by 1/π (Horvitz & Thompson 1952, JASA 47).
"""

import math

import numpy as np
from numpy.typing import NDArray


def inclusion_probabilities(n_items: int, n_random: int, n_best: int) -> NDArray[np.float64]:
    """By rank, the best first.

    One of three items is drawn, then the best of the other two is taken: the first is always in, the second is in
    if it or the first is drawn, the third only if it is drawn itself.

    >>> inclusion_probabilities(3, n_random=1, n_best=1).round(4).tolist()
    [1.0, 0.6667, 0.3333]
    """
    drawn = n_random / n_items
    found = np.full(n_items, drawn)
    found[:n_best] = 1.0
    if n_random == n_items:
        return found
    for rank in range(n_best + 1, min(n_items, n_best + n_random) + 1):
        found[rank - 1] = drawn + (1 - drawn) * _at_least(
            rank - n_best, drawn=n_random, before=rank - 1, others=n_items - 1
        )
    return found


def _at_least(least: int, *, drawn: int, before: int, others: int) -> float:
    """The probability that at least `least` of the items before are among the drawn ones."""
    total = _log_choose(others, drawn)
    highest = min(before, drawn)
    lowest = max(least, drawn - (others - before))
    return min(
        1.0,
        math.fsum(
            math.exp(_log_choose(before, hits) + _log_choose(others - before, drawn - hits) - total)
            for hits in range(lowest, highest + 1)
        ),
    )


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
