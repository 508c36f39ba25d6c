"""Pearson's χ² of a yes-or-no label over groups: would equal shares look like this?

With k_g of n_g items found, expected e_g = n_g Σk / Σn, and the same for the items not found,

    χ² = Σ (|observed - expected| - y)² / expected        on G - 1 degrees of freedom,

where y is 0 but for two groups, for which Yates takes the smaller of 1/2 and the distance off each distance, as is
usual for a table of two by two. All items count as independent: replies to one post are not, which makes p too
small; `wald` does not need that. (Pearson 1900, Philosophical Magazine 50, 157–175; Yates 1934, Supplement to the
JRSS 1, 217–235.)
"""

import numpy as np

from analysis.values import Places, Significance, Values

NAME = "Pearson χ²"


def chi_square(found: Values, sizes: Places) -> Significance:
    """Without a value where an expected count is 0.

    >>> test = chi_square(np.array([30.0, 10.0]), np.array([100, 100]))
    >>> round(test.statistic or 0, 5), test.df, round(test.p or 0, 5)
    (11.28125, (1.0,), 0.00078)
    """
    from scipy import stats  # takes long to load

    observed = np.stack([found, sizes - found])
    expected = observed.sum(axis=1, keepdims=True) * (sizes / sizes.sum())
    if (expected == 0).any() or len(sizes) < 2:
        return Significance(NAME, None, (), None)
    distance = np.abs(observed - expected)
    if len(sizes) == 2:
        distance -= np.minimum(0.5, distance)
    statistic = float((distance**2 / expected).sum())
    df = len(sizes) - 1
    return Significance(NAME, statistic, (float(df),), float(stats.chi2.sf(statistic, df)))
