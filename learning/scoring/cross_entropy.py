"""Cross-entropy between the shares of annotators and a model's probabilities.

    CE = -Σ_i Σ_v p_i(v) ln q_i(v) / n

p_i(v) is the share of item i's annotators who gave the answer v, q_i(v) the model's probability of it, not below 10⁻⁶.
Less is better. It cannot be less than the entropy of the shares, -Σ_i Σ_v p_i(v) ln p_i(v) / n, which stands beside
it: so much annotators differ. (Leonardelli et al. 2023, “SemEval-2023 task 11: Learning with disagreements (LeWiDi)”;
Uma et al. 2021, JAIR 72, 1385–1470.)
"""

import numpy as np

from annotation.agreement.bootstrap import Values
from annotation.agreement.sparse_sums import Sums, sums_of
from learning.scoring.cases import CodeCases
from learning.scoring.distributions import SharedCases
from learning.scoring.family import Basis, ratio
from learning.scoring.values import Metric

LEAST_PROBABILITY = 1e-6


def cross_entropy(shares: Values, probabilities: Values) -> Values:
    """Of each item. A model that says .5 of a yes that half of the annotators give is as good as can be:

    >>> half = np.array([[0.5, 0.5]])
    >>> cross_entropy(half, half).round(4).tolist(), cross_entropy(half, np.array([[0.1, 0.9]])).round(4).tolist()
    ([0.6931], [1.204])
    """
    return np.asarray(-(shares * np.log(np.maximum(probabilities, LEAST_PROBABILITY))).sum(axis=-1))


class CrossEntropy:
    metrics = (Metric.CROSS_ENTROPY, Metric.ANNOTATOR_ENTROPY)

    def __init__(self, cases: CodeCases) -> None:
        self._cases = shared = SharedCases(cases)
        of_model = cross_entropy(shared.shares, shared.probabilities)
        own = cross_entropy(shared.shares, shared.shares)
        rows = shared.rows
        self.sums: Sums = sums_of(cases.n_rows, 3, (rows, 0, of_model), (rows, 1, own), (rows, 2, 1))

    def values(self, sums: Values) -> tuple[Values, ...]:
        return (ratio(sums[:, 0], sums[:, 2]), ratio(sums[:, 1], sums[:, 2]))

    def basis(self, metric: Metric) -> Basis:
        return self._cases.basis()
