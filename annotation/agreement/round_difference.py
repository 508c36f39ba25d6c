"""How far agreement has moved from one round to the next, where the rounds have no post in common."""

import math

from annotation.agreement.values import Estimate

_Z = 1.959963984540054
_ROUNDING = 1e-12
SAME_POSTS = "The rounds share posts, so their difference has no interval here."
NO_INTERVAL = "One of the rounds has no interval."
NO_WIDTH = (
    "The interval of one of the rounds has no width, so their difference has none that could be trusted."
)


def round_difference(before: Estimate, after: Estimate, *, share_posts: bool) -> Estimate:
    """after - before, with the interval of a difference of independent estimates.

    The standard error of each is taken from its bootstrap interval, se = (high - low) / (2 · 1.96), and those of
    independent estimates add up as variances: d ± 1.96 · √(se₁² + se₂²). (Efron & Tibshirani 1993, An Introduction to
    the Bootstrap, chapters 6 and 13.)

    >>> before, after = Estimate(0.50, 0.40, 0.60, 100, 3, ""), Estimate(0.70, 0.60, 0.80, 100, 3, "")
    >>> found = round_difference(before, after, share_posts=False)
    >>> [round(number, 3) for number in (found.value, found.low, found.high)]
    [0.2, 0.059, 0.341]
    """
    n_items, n_raters = before.n_items + after.n_items, max(before.n_raters, after.n_raters)
    if before.value is None or after.value is None:
        note = (before if before.value is None else after).note
        return Estimate(None, None, None, n_items, n_raters, note)
    moved = after.value - before.value
    errors = [_standard_error(each) for each in (before, after)]
    if share_posts or None in errors:
        note = SAME_POSTS if share_posts else NO_INTERVAL
        return Estimate(moved, None, None, n_items, n_raters, note)
    if min(error for error in errors if error is not None) <= _ROUNDING:
        return Estimate(moved, None, None, n_items, n_raters, NO_WIDTH)
    reach = _Z * math.hypot(*(error for error in errors if error is not None))
    return Estimate(moved, moved - reach, moved + reach, n_items, n_raters, "")


def _standard_error(estimate: Estimate) -> float | None:
    if estimate.low is None or estimate.high is None:
        return None
    return (estimate.high - estimate.low) / (2 * _Z)
