"""Expected calibration error: how far probabilities are from the shares of items that turn out to have the code.

    ECE = Σ_b (n_b / n) | mean probability in b - share of items in b where gold finds the code |

over ten bins of equal width, [0, 0.1), [0.1, 0.2) … [0.9, 1]. It concerns the probability that the code is there at
all, so that for levels those of all levels but the absent one are added up. The value depends on the bins and is
too high on few items. (Naeini, Cooper & Hauskrecht 2015, AAAI; Guo et al. 2017, ICML.)
"""

import numpy as np

from annotation.agreement.bootstrap import Values
from annotation.agreement.sparse_sums import Sums, sums_of
from learning.scoring.cases import NO_PROBABILITIES, CodeCases, ProbableCases
from learning.scoring.family import Basis, ratio
from learning.scoring.values import Metric

N_BINS = 10


def calibration_error(surplus: Values, n: Values) -> Values:
    """`surplus` has, by bin, the sum of probability minus truth; n_b cancels.

    >>> calibration_error(np.array([[0.5, -1.0]]), np.array([10.0])).tolist()
    [0.15]
    """
    return ratio(np.abs(surplus).sum(axis=-1), n)


class CalibrationError:
    metrics = (Metric.CALIBRATION_ERROR,)

    def __init__(self, cases: CodeCases) -> None:
        self._cases = ProbableCases(cases)
        rows, probability = self._cases.rows, self._cases.probability
        bins = np.minimum((probability * N_BINS).astype(np.int64), N_BINS - 1)
        self.sums: Sums = sums_of(
            cases.n_rows, N_BINS + 1, (rows, bins, probability - self._cases.found), (rows, N_BINS, 1)
        )

    def values(self, sums: Values) -> tuple[Values, ...]:
        return (calibration_error(sums[:, :N_BINS], sums[:, N_BINS]),)

    def basis(self, metric: Metric) -> Basis:
        return self._cases.basis(NO_PROBABILITIES)
