"""Cohen's d: a difference of means in standard deviations, so that replies and shares can be compared.

    d = (m₁ - m₀) / s,        s² = ((n₁ - 1) s₁² + (n₀ - 1) s₀²) / (n₁ + n₀ - 2)

(Cohen 1988, Statistical Power Analysis for the Behavioral Sciences, ch. 2: 0.2 is small, 0.5 middling, 0.8 large.)
"""

import math

from analysis.welch import Moments


def cohens_d(one: Moments, other: Moments, difference: float | None = None) -> float | None:
    """None where nothing varies; `difference` stands for that of the means, as where it is better known.

    >>> round(cohens_d(Moments(10, 5.0, 4.0), Moments(40, 3.0, 9.0)) or 0, 3)
    0.704
    """
    below = one.n + other.n - 2
    if below < 1:
        return None
    pooled = sum((each.n - 1) * each.variance for each in (one, other) if each.n > 1) / below
    difference = one.mean - other.mean if difference is None else difference
    return difference / math.sqrt(pooled) if pooled > 0 else None
