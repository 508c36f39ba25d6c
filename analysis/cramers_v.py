"""Cramér's V: how strongly a label goes with groups, from 0 to 1 whatever the number of items.

    V = √(χ² / (n · min(rows - 1, columns - 1))),        here min(…) = 1, since a label is there or not.

Its interval turns that of χ²: the non-centralities Δ for which χ² lies at the 97.5% and 2.5% point of the non-central
distribution give √(Δ / n). With Yates' correction V is a little smaller, as published tables have it. (Cramér 1946,
Mathematical Methods of Statistics, ch. 21; for intervals Smithson 2003, Confidence Intervals, ch. 4.)

Where items are not independent, n is the number of independent items that would give the same statistic W for the
same shares, W / V².
"""

import math

from analysis.values import ROUNDING, Estimate, Values

_TAIL = 0.025


def cramers_v(statistic: float | None, n: float, df: float) -> Estimate:
    """
    >>> found = cramers_v(11.28125, 200, 1)
    >>> [round(each or 0, 3) for each in (found.value, found.low, found.high)]
    [0.237, 0.099, 0.376]
    """
    if statistic is None or n <= 0:
        return Estimate(None, None, None)
    low, high = (math.sqrt(_non_centrality(statistic, df, tail) / n) for tail in (1 - _TAIL, _TAIL))
    return Estimate(math.sqrt(statistic / n), low, min(1.0, high))


def v_of_shares(shares: Values, sizes: Values) -> float | None:
    """From shares alone, without Yates' correction: √(Σ n_g (θ_g - θ)² / (n θ (1 - θ))).

    None where nothing or everything is found, or corrected shares lie outside 0 and 1.

    >>> import numpy as np
    >>> round(v_of_shares(np.array([0.3, 0.1]), np.array([100.0, 100.0])) or 0, 4)
    0.25
    >>> v_of_shares(np.array([-0.5, 0.7]), np.array([100.0, 100.0]))
    """
    if shares.min() < -ROUNDING or shares.max() > 1 + ROUNDING:
        return None
    overall = float((shares * sizes).sum() / sizes.sum())
    spread = overall * (1 - overall)
    if spread <= ROUNDING:
        return None
    return math.sqrt(float((sizes * (shares - overall) ** 2).sum()) / (float(sizes.sum()) * spread))


def _non_centrality(statistic: float, df: float, below: float) -> float:
    """Δ with P(χ²_df(Δ) ≤ statistic) = below, 0 where even Δ = 0 has less."""
    from scipy import optimize, stats  # takes long to load

    if stats.chi2.cdf(statistic, df) <= below:
        return 0.0
    highest = statistic + 20 * math.sqrt(statistic + 1) + 50

    def too_low(delta: float) -> float:
        return float(stats.ncx2.cdf(statistic, df, delta)) - below

    return float(optimize.brentq(too_low, 1e-12, highest))
