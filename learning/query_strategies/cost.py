"""What an item costs in minutes of work, and strategies that ask what is learned for a minute.

    minutes = a + b · words

b is the median of the slopes between all pairs of measured items, a the median of what is left (Theil 1950, Sen 1968,
JASA 63): somebody who fetched a coffee in the middle of an item moves neither. Until enough items are measured, a
slow reader is assumed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from learning.query_strategies.pool import Pool, PoolUnfit, Scores
from learning.query_strategies.strategy import Strategy

FEWEST_MEASURED = 20
# Beyond this many the pairs become too many, and the medians no better.
MOST_MEASURED = 600
# 200 words a minute, and half a minute for the boxes.
ASSUMED_MINUTES, ASSUMED_MINUTES_PER_WORD = 0.5, 1 / 200
# Nobody judges anything in no time; without a floor a single item could outweigh all others.
LEAST_MINUTES = 0.05


@dataclass(frozen=True, slots=True)
class CostModel:
    """`n_measured` is 0 where nothing was measured and the minutes are assumed."""

    minutes: float = ASSUMED_MINUTES
    minutes_per_word: float = ASSUMED_MINUTES_PER_WORD
    n_measured: int = 0

    def costs(self, n_words: Sequence[int]) -> Scores:
        """
        >>> CostModel().costs([0, 100]).tolist()
        [0.5, 1.0]
        """
        expected: Scores = self.minutes + self.minutes_per_word * np.asarray(n_words, dtype=np.float64)
        return np.maximum(expected, LEAST_MINUTES)


def cost_model(n_words: Sequence[int], minutes: Sequence[float]) -> CostModel:
    """From what annotators took for items of so many words; assumed where fewer than 20 are measured.

    >>> found = cost_model(range(0, 200, 10), [0.25 + n / 100 for n in range(0, 200, 10)])
    >>> round(found.minutes, 6), round(found.minutes_per_word, 6), found.n_measured
    (0.25, 0.01, 20)
    """
    if len(minutes) < FEWEST_MEASURED:
        return CostModel()
    thinned = np.unique(np.linspace(0, len(minutes) - 1, min(len(minutes), MOST_MEASURED)).astype(int))
    words, took = np.asarray(n_words, dtype=np.float64)[thinned], np.asarray(minutes)[thinned]
    first, second = np.triu_indices(len(words), k=1)
    apart = words[second] - words[first]
    slopes = (took[second] - took[first])[apart != 0] / apart[apart != 0]
    slope = max(0.0, float(np.median(slopes))) if len(slopes) else 0.0
    return CostModel(max(0.0, float(np.median(took - slope * words))), slope, len(minutes))


@dataclass(frozen=True, slots=True, eq=False)
class PerCost:
    """Another strategy's score for each minute, as a share of what the cheapest item would get for it.

    `costs` are in the order of the pool. What is random stays so: cheap items are not drawn more often.
    """

    strategy: Strategy
    costs: Scores

    @property
    def name(self) -> str:
        return f"{self.strategy.name} per minute"

    @property
    def is_random(self) -> bool:
        return self.strategy.is_random

    def scores(self, pool: Pool) -> Scores:
        if len(self.costs) != len(pool.item_ids) or not (self.costs > 0).all():
            raise PoolUnfit("Costs must be above 0, one for each item of the pool.")
        scores = self.strategy.scores(pool)
        return scores if self.is_random else scores * self.costs.min() / self.costs
