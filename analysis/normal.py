"""Intervals and tests of an estimate with a standard error, by Student's t.

    value ± t_{0.975}(df) · se,        t = value / se

df is one less than what is independent: clusters, or of corrected estimates the clusters with gold, from which their
error comes.
"""

import math

from analysis.values import Estimate, Significance

LEVEL = 0.95


def interval(value: float, error: float, df: float) -> Estimate:
    """None is given where there is no error to be seen, as where no item has a code: that says not that it is 0.

    >>> found = interval(0.5, 0.1, 20)
    >>> round(found.low or 0, 3), round(found.high or 0, 3)
    (0.291, 0.709)
    """
    from scipy import stats  # takes long to load

    if not (math.isfinite(value) and math.isfinite(error)) or error <= 0 or df < 1:
        return Estimate(float(value) if math.isfinite(value) else None, None, None)
    half = float(stats.t.ppf((1 + LEVEL) / 2, df)) * float(error)
    return Estimate(float(value), float(value) - half, float(value) + half)


def cut(estimate: Estimate, low: float = 0.0, high: float = math.inf) -> Estimate:
    """An interval without what cannot be, such as a share below 0: no truth is lost with it.

    That of an estimate which itself cannot be stays as it is, to be seen.

    >>> cut(Estimate(0.02, -0.01, 0.05), high=1), cut(Estimate(-0.02, -0.05, 0.01), high=1).low
    (Estimate(value=0.02, low=0.0, high=0.05), -0.05)
    """
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return estimate
    if not low <= estimate.value <= high:
        return estimate
    return Estimate(estimate.value, max(low, estimate.low), min(high, estimate.high))


def t_test(name: str, value: float, error: float, df: float) -> Significance:
    """Two-sided, that the value is 0; without a p-value where there is no error to compare with.

    >>> found = t_test("t", 0.2, 0.1, 20)
    >>> found.statistic, found.df, round(found.p or 0, 4)
    (2.0, (20,), 0.0593)
    """
    from scipy import stats  # takes long to load

    if not (math.isfinite(value) and math.isfinite(error)) or error <= 0 or df < 1:
        return Significance(name, None, (), None)
    statistic = float(value) / float(error)
    return Significance(name, statistic, (df,), float(2 * stats.t.sf(abs(statistic), df)))
