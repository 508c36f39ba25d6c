"""Items on which models disagree, however sure each of them is.

With H the entropy and p_m the probabilities of model m of M:

    disagreement = [ H(mean_m p_m) - mean_m H(p_m) ] / log k

the Jensen–Shannon divergence of the models, which is the mean distance (Kullback–Leibler) of each from the
consensus. 0 where all say the same. (McCallum & Nigam 1998, ICML; the same quantity is BALD in Houlsby et al.
2011.)
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from learning.query_strategies.pool import OverCodes, Pool, PoolUnfit, Scores
from learning.query_strategies.uncertainty import entropy


def disagreement(probabilities: NDArray[np.float64]) -> Scores:
    """Models along the first axis, answers along the last.

    >>> disagreement(np.array([[[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.5, 0.5]]])).tolist()
    [1.0, 0.0]
    """
    found = entropy(probabilities.mean(axis=0)) - entropy(probabilities).mean(axis=0)
    # Rounding can leave a tiny bit below 0.
    positive: Scores = np.maximum(found, 0.0)
    return positive


@dataclass(frozen=True, slots=True)
class CommitteeDisagreement:
    over: OverCodes = OverCodes.MEAN
    name: ClassVar[str] = "committee"
    is_random: ClassVar[bool] = False

    def scores(self, pool: Pool) -> Scores:
        if pool.probabilities and len(pool.probabilities[0]) < 2:
            raise PoolUnfit("A committee needs at least two models: predict the pool with another one too.")
        return pool.score_codes(disagreement, self.over)
