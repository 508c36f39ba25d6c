"""Brier score: the mean squared distance between the probability that a code is there and whether it is.

    Brier = Σ_i (p_i - y_i)² / n

0 is perfect; always saying the code's share s of the items gets s (1 - s). (Brier 1950, Monthly Weather Review 78,
1–3.)
"""

from annotation.agreement.bootstrap import Values
from annotation.agreement.sparse_sums import Sums, sums_of
from learning.scoring.cases import NO_PROBABILITIES, CodeCases, ProbableCases
from learning.scoring.family import Basis, ratio
from learning.scoring.values import Metric


def brier(squares: Values, n: Values) -> Values:
    """
    >>> import numpy as np
    >>> brier(np.array([0.1**2 + 0.5**2]), np.array([2.0])).round(4).tolist()
    [0.13]
    """
    return ratio(squares, n)


class Brier:
    metrics = (Metric.BRIER,)

    def __init__(self, cases: CodeCases) -> None:
        self._cases = ProbableCases(cases)
        rows = self._cases.rows
        squares = (self._cases.probability - self._cases.found) ** 2
        self.sums: Sums = sums_of(cases.n_rows, 2, (rows, 0, squares), (rows, 1, 1))

    def values(self, sums: Values) -> tuple[Values, ...]:
        return (brier(sums[:, 0], sums[:, 1]),)

    def basis(self, metric: Metric) -> Basis:
        return self._cases.basis(NO_PROBABILITIES)
