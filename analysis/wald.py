"""Wald's test that groups have the same mean, whatever the errors of the means are.

With D the differences of the other groups from the first and Σ_D their covariance,

    W = Dᵀ Σ_D⁻¹ D,        W / q  ~  F(q, df)

with q = G - 1. On many clusters it is χ² on q degrees of freedom; F allows for few. It takes the place of Pearson's
χ² where items hang together or labels are corrected. (Wald 1943, Transactions of the AMS 54, 426–482; Cameron & Miller
2015, Journal of Human Resources 50, 317–372, for the F.)
"""

import numpy as np

from analysis.clustered_errors import GroupMeans
from analysis.values import Significance

NAME = "Wald, clustered"


def wald(means: GroupMeans, df: float) -> Significance:
    """Without a value where a difference has no error.

    >>> sizes = np.array([100, 100])
    >>> test = wald(GroupMeans(np.array([0.3, 0.1]), np.diag([0.0021, 0.0009]), sizes, sizes), 199)
    >>> round(test.statistic or 0, 2), test.df, round(test.p or 0, 5)
    (13.33, (1.0, 199.0), 0.00033)
    """
    from scipy import stats  # takes long to load

    q = len(means.means) - 1
    contrast = np.hstack([-np.ones((q, 1)), np.eye(q)])
    differences = contrast @ means.means
    covariance = contrast @ means.covariance @ contrast.T
    if not q or df < 1 or not np.isfinite(covariance).all() or np.linalg.matrix_rank(covariance) < q:
        return Significance(NAME, None, (), None)
    statistic = float(differences @ np.linalg.solve(covariance, differences))
    return Significance(NAME, statistic, (float(q), float(df)), float(stats.f.sf(statistic / q, q, df)))
