"""Items that say most about how often codes are found: for estimating, not for learning.

A corrected share is the more exact the more often gold is where the model errs. With p_j the probabilities of the k
answers to a code, its error is expected to be about

    u = √( (1 - Σ_j p_j²) / (1 - 1/k) ),        of a tick 2 √(p (1 - p)),

the mean over codes below the root where there are several. An item is drawn with a probability that goes with it,

    π_i = n ( (1 - τ) u_i / Σ u + τ / N ),        at most 1,

mixed with chance alone by τ, the random share: no gold label then stands for more than N / (n τ) items, however sure
the model was of an item on which it errs. Systematic sampling in random order draws n items with just these
probabilities. (Zrnic & Candès 2024, “Active statistical inference”, arXiv 2403.03208; Madow 1949, Annals of
Mathematical Statistics 20, 333–354.)
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from learning.query_strategies.pool import OverCodes, Pool, Scores


def expected_variance(probabilities: NDArray[np.float64]) -> Scores:
    """Of the answers along the last axis, from 0 to 1.

    >>> expected_variance(np.array([[0.5, 0.5], [0.9, 0.1], [1.0, 0.0]])).round(2).tolist()
    [1.0, 0.36, 0.0]
    """
    k = probabilities.shape[-1]
    found: Scores = (1 - (probabilities**2).sum(axis=-1)) / (1 - 1 / k)
    return np.maximum(found, 0.0)


@dataclass(frozen=True, slots=True)
class ExpectedError:
    over: OverCodes = OverCodes.MEAN
    name: ClassVar[str] = "expected-error"
    is_random: ClassVar[bool] = False

    def scores(self, pool: Pool) -> Scores:
        return np.sqrt(pool.score_codes(lambda each: expected_variance(each.mean(axis=0)), self.over))


def proportional_probabilities(scores: Scores, n: int, random_share: float) -> NDArray[np.float64]:
    """π of every item; they add up to n.

    >>> proportional_probabilities(np.array([3.0, 1.0, 0.0, 0.0]), 2, 0.5).round(3).tolist()
    [1.0, 0.5, 0.25, 0.25]
    """
    total = float(scores.sum())
    by_score = scores / total if total > 0 else np.full(len(scores), 1 / len(scores))
    size = (1 - random_share) * by_score + random_share / len(scores)
    found: NDArray[np.float64] = np.zeros(len(scores))
    certain: NDArray[np.bool_] = np.zeros(len(scores), dtype=np.bool_)
    while True:
        left = n - int(certain.sum())
        found = np.where(certain, 1.0, left * size / size[~certain].sum() if left else 0.0)
        over = (found > 1) & ~certain
        if not over.any():
            return found
        certain |= over


def systematic_sample(probabilities: NDArray[np.float64], rng: np.random.Generator) -> tuple[int, ...]:
    """Places of as many items as the probabilities add up to, each with its own.

    >>> systematic_sample(np.array([1.0, 0.5, 0.5, 1.0]), np.random.default_rng(1))
    (0, 1, 3)
    """
    order = rng.permutation(len(probabilities))
    n = round(float(probabilities.sum()))
    ends = np.cumsum(probabilities[order])
    # Rounding must not let the last one fall off the end
    marks = np.minimum(np.arange(n) + rng.random(), ends[-1] * (1 - 1e-12))
    return tuple(sorted(order[np.searchsorted(ends, marks, side="right")].tolist()))
