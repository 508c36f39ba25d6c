"""Welch's t-test: do two groups have the same mean, though not the same spread?

    t = (m₁ - m₀) / √(v₁ + v₀),        v_g = s_g² / n_g,        df = (v₁ + v₀)² / (v₁²/(n₁ - 1) + v₀²/(n₀ - 1))

with means m_g and variances s_g². All items count as independent. A group in which everybody has the same value has
no spread at all, so that the error is that of the other group alone and t is far too large: a handful of replies
none of which was accepted then seems to prove more than ten thousand others. Such a test says so in its note.
(Welch 1947, Biometrika 34, 28–35.)
"""

import math
from dataclasses import dataclass

import numpy as np

from analysis.normal import interval, t_test
from analysis.values import Estimate, Significance, Values

NAME = "Welch t"
NO_SPREAD = "In one of the two groups all items have the same value: t is far too large and p too small."


@dataclass(frozen=True, slots=True)
class Moments:
    """`variance` is that of a sample, with n - 1 below."""

    n: int
    mean: float
    variance: float

    @property
    def of_mean(self) -> float:
        return self.variance / self.n


def moments(values: Values) -> Moments:
    n = len(values)
    return Moments(
        n, float(values.mean()) if n else math.nan, float(np.var(values, ddof=1)) if n > 1 else math.nan
    )


def welch(one: Moments, other: Moments) -> tuple[Estimate, Significance]:
    """The difference of one minus other, and its test.

    >>> estimate, test = welch(Moments(10, 5.0, 4.0), Moments(40, 3.0, 9.0))
    >>> estimate.value, round(estimate.low or 0, 3), round(test.statistic or 0, 4), round(test.df[0], 2)
    (2.0, 0.353, 2.5298, 20.48)
    """
    value, both = one.mean - other.mean, one.of_mean + other.of_mean
    if not (math.isfinite(value) and math.isfinite(both)) or both <= 0:
        return Estimate(value if math.isfinite(value) else None, None, None), Significance(
            NAME, None, (), None
        )
    df = both**2 / (one.of_mean**2 / (one.n - 1) + other.of_mean**2 / (other.n - 1))
    return interval(value, math.sqrt(both), df), t_test(NAME, value, math.sqrt(both), df)


def lacks_spread(one: Moments, other: Moments) -> bool:
    return one.variance == 0 or other.variance == 0
