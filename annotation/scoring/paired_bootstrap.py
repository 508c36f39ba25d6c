"""Whether one model is better than another on the same items: the difference on the same resamples of posts.

With d the difference and d*_1 … d*_B its values on B resamples of posts, the interval is the middle 95% of d*, and

    p = min(1, 2 min(1 + #{d* ≤ 0}, 1 + #{d* ≥ 0}) / (B + 1))

which is below 5% about when the interval leaves 0 out; adding one keeps p above 0 on any number of resamples. Both
models see the same posts drawn, so that what is hard for both does not blur the difference. Resamples on which one
of the two has no value are left out and counted. (Efron & Tibshirani 1993, An Introduction to the Bootstrap, ch.
15–16; Davison & Hinkley 1997, Bootstrap Methods and their Application, ch. 4.)
"""

from dataclasses import dataclass

import numpy as np

from annotation.agreement.resampling import Values, percentile_interval


@dataclass(frozen=True, slots=True)
class Difference:
    """First minus second; None where one of them has no value. `p_holm` is corrected for all codes compared at
    once."""

    first: float | None
    second: float | None
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    undefined: int


def two_sided_p(differences: Values) -> float | None:
    """Of the differences on resamples, NaN left out; None if there are none.

    >>> two_sided_p(np.array([0.1] * 98 + [-0.1]))  # 2 · (1 + 1) / 100
    0.04
    >>> two_sided_p(np.zeros(99))
    1.0
    """
    defined = differences[~np.isnan(differences)]
    if not len(defined):
        return None
    fewer = min(int((defined <= 0).sum()), int((defined >= 0).sum()))
    return min(1.0, 2 * (1 + fewer) / (len(defined) + 1))


def difference(first: Values, second: Values) -> Difference:
    """Each has the value on all items in place 0 and those on the same resamples after it."""
    apart = first - second
    one, other = (None if np.isnan(each[0]) else float(each[0]) for each in (first, second))
    if one is None or other is None:
        return Difference(one, other, None, None, None, None, None, 0)
    interval = percentile_interval(apart[1:])
    p = two_sided_p(apart[1:])
    return Difference(one, other, float(apart[0]), interval.low, interval.high, p, p, interval.undefined)
