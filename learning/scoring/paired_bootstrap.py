"""Whether one model is better than another on the same items: the difference on the same resamples of posts.

With d the difference and d*_1 … d*_B its values on B resamples of posts, the interval is the middle 95% of d*, and

    p = min(1, 2 min(1 + #{d* ≤ 0}, 1 + #{d* ≥ 0}) / (B + 1))

which is below 5% about when the interval leaves 0 out; adding one keeps p above 0 on any number of resamples. Both
models see the same posts drawn, so that what is hard for both does not blur the difference. On a resample where
neither has a value nothing tells them apart, and d* is 0: else a difference that one post makes would look certain.
Resamples on which one of the two has no value are left out and counted. (Efron & Tibshirani 1993, An Introduction to
the Bootstrap, ch. 15–16; Davison & Hinkley 1997, Bootstrap Methods and their Application, ch. 4.)
"""

import numpy as np

from annotation.agreement.bootstrap import Values, percentile_interval
from annotation.agreement.notes import NO_RESAMPLES, TOO_LITTLE, left_out
from learning.scoring.values import Difference


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


def tied_without_value(first: Values, second: Values) -> tuple[Values, Values]:
    """Both, with 0 wherever neither has a value.

    >>> [each.tolist() for each in tied_without_value(np.array([np.nan, np.nan, 0.5]), np.array([np.nan, 0.25, 0.5]))]
    [[0.0, nan, 0.5], [0.0, 0.25, 0.5]]
    """
    neither = np.isnan(first) & np.isnan(second)
    return np.where(neither, 0.0, first), np.where(neither, 0.0, second)


def difference(first: Values, second: Values, *, reasons: tuple[str, str], n_units: int) -> Difference:
    """Each has the value on all items in place 0 and those on the same resamples after it.

    `reasons` say why first and second have no value, if they have none; `n_units` is how many posts were drawn.
    """
    one, other = (None if np.isnan(each[0]) else float(each[0]) for each in (first, second))
    if one is None or other is None:
        which, reason = ("first", reasons[0]) if one is None else ("second", reasons[1])
        return Difference(one, other, None, None, None, None, None, f"Of the {which} model: {reason}")
    tied = tied_without_value(first, second)
    value, drawn = one - other, (tied[0] - tied[1])[1:]
    if not len(drawn) or n_units < 2:
        note = TOO_LITTLE if len(drawn) else NO_RESAMPLES
        return Difference(one, other, value, None, None, None, None, note)
    interval, p = percentile_interval(drawn), two_sided_p(drawn)
    return Difference(one, other, value, interval.low, interval.high, p, p, left_out(interval, len(drawn)))
