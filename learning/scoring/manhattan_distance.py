"""Manhattan distance between the shares of annotators and a model's probabilities.

    MD = Σ_i Σ_v |p_i(v) - q_i(v)| / n

p_i(v) is the share of item i's annotators who gave the answer v, q_i(v) the model's probability of it. 0 is perfect, 2
is as wrong as can be; half of it is the share of annotators that the model puts at the wrong answer. Unlike
cross-entropy, one sure mistake does not outweigh all else. (Leonardelli et al. 2025, “LeWiDi-2025 at NLPerspectives”,
after Leonardelli et al. 2023, SemEval-2023 task 11, which had cross-entropy.)
"""

import numpy as np

from annotation.agreement.bootstrap import Values
from annotation.agreement.sparse_sums import Sums, sums_of
from learning.scoring.cases import CodeCases
from learning.scoring.distributions import SharedCases
from learning.scoring.family import Basis, ratio
from learning.scoring.values import Metric


def manhattan_distance(shares: Values, probabilities: Values) -> Values:
    """Of each item.

    >>> manhattan_distance(np.array([[0.6, 0.4], [1.0, 0.0]]), np.array([[0.9, 0.1], [0.0, 1.0]])).round(4).tolist()
    [0.6, 2.0]
    """
    return np.asarray(np.abs(shares - probabilities).sum(axis=-1))


class ManhattanDistance:
    metrics = (Metric.MANHATTAN_DISTANCE,)

    def __init__(self, cases: CodeCases) -> None:
        self._cases = shared = SharedCases(cases)
        distance = manhattan_distance(shared.shares, shared.probabilities)
        self.sums: Sums = sums_of(cases.n_rows, 2, (shared.rows, 0, distance), (shared.rows, 1, 1))

    def values(self, sums: Values) -> tuple[Values, ...]:
        return (ratio(sums[:, 0], sums[:, 1]),)

    def basis(self, metric: Metric) -> Basis:
        return self._cases.basis()
