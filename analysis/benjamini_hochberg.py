"""Benjamini and Hochberg's correction: of what is called a finding, few shall be false.

With p-values p_(1) ≤ … ≤ p_(m), the adjusted ones are

    min_{j ≥ i} min(1, (m / j) p_(j))

Of all findings whose adjusted p-value is below 5%, at most 5% are false on average, if the tests are independent or
depend on each other positively. That is a weaker promise than Holm's, which allows no false one in 95 of 100
tables. (Benjamini & Hochberg 1995, Journal of the Royal Statistical Society B 57, 289–300.)
"""

from collections.abc import Sequence

import numpy as np


def benjamini_hochberg(p_values: Sequence[float]) -> tuple[float, ...]:
    """
    >>> benjamini_hochberg([0.01, 0.04, 0.03, 0.005])
    (0.02, 0.04, 0.04, 0.02)
    """
    raw = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(raw, kind="stable")
    scaled = raw[order] * len(raw) / np.arange(1, len(raw) + 1)
    adjusted = np.empty_like(raw)
    adjusted[order] = np.minimum(1.0, np.minimum.accumulate(scaled[::-1])[::-1])
    return tuple(adjusted.tolist())
