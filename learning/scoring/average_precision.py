"""Average precision: precision averaged over all thresholds, each weighted by the recall that it adds.

    AP = Σ_t (R_t - R_{t-1}) P_t          over the distinct probabilities t, from high to low

It needs no threshold and, unlike the area under the ROC curve, is honest about rare codes; guessing gets the share
of items that have the code. No value where gold has nothing to find. (Davis & Goadrich 2006, ICML; without
interpolation, as in scikit-learn.)
"""

import numpy as np

from annotation.agreement.bootstrap import Values
from annotation.agreement.sparse_sums import Sums, sums_of
from learning.scoring.cases import CodeCases, ProbableCases
from learning.scoring.family import Basis, ratio
from learning.scoring.precision_recall import NOTHING_TO_FIND
from learning.scoring.values import Metric


def average_precision(found: Values, items: Values) -> Values:
    """Along the last axis the distinct probabilities from high to low: how many items have each, and have the code.

    >>> average_precision(np.array([[1.0, 0.0, 1.0]]), np.array([[1.0, 1.0, 1.0]])).round(4).tolist()  # (1 + 2/3) / 2
    [0.8333]
    """
    reached, seen = np.cumsum(found, axis=-1), np.cumsum(items, axis=-1)
    weighted = (found * reached / np.maximum(seen, 1)).sum(axis=-1)
    return ratio(weighted, reached[..., -1]) if found.shape[-1] else np.full(len(found), np.nan)


class AveragePrecision:
    metrics = (Metric.AVERAGE_PRECISION,)

    def __init__(self, cases: CodeCases) -> None:
        self._cases = ProbableCases(cases)
        levels, place = np.unique(-self._cases.probability, return_inverse=True)
        self._n_levels, rows = len(levels), self._cases.rows
        self.sums: Sums = sums_of(
            cases.n_rows,
            2 * len(levels),
            (rows, place.ravel(), self._cases.found),
            (rows, len(levels) + place.ravel(), 1),
        )

    def values(self, sums: Values) -> tuple[Values, ...]:
        return (average_precision(sums[:, : self._n_levels], sums[:, self._n_levels :]),)

    def basis(self, metric: Metric) -> Basis:
        return self._cases.basis(NOTHING_TO_FIND)
