"""Posts drawn again within each condition, since chance dealt posts to the conditions and not answers.

A share Σ x / Σ y over the answers of a condition is made of the sums of its posts. On each of B resamples its posts are
drawn with replacement, the two conditions apart from each other. The intervals are the middle 95% of a number on the
resamples. (Efron & Tibshirani 1993, An Introduction to the Bootstrap, ch. 8 and 13.)
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.bootstrap import Values, percentile_interval
from learning.prelabel_experiment.values import ConditionEstimate, Contrast
from learning.scoring.paired_bootstrap import two_sided_p

# With fewer, the percentile bootstrap promises far more than it keeps.
LEAST_POSTS = 10


@dataclass(frozen=True, slots=True, eq=False)
class Sampled:
    """A number on a condition as it is, in place 0, and on its resamples."""

    values: Values
    n: int
    n_posts: int

    def estimate(self) -> ConditionEstimate:
        value = None if np.isnan(self.values[0]) else float(self.values[0])
        if value is None or self.n_posts < LEAST_POSTS:
            return ConditionEstimate(value, None, None, self.n, self.n_posts)
        interval = percentile_interval(self.values[1:])
        return ConditionEstimate(value, interval.low, interval.high, self.n, self.n_posts)


def draws(n_posts: int, *, resamples: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """How often each post is there: in row 0 once each, then as drawn."""
    once = np.ones((1, n_posts))
    if not n_posts:
        return np.zeros((resamples + 1, 0))
    drawn = rng.multinomial(n_posts, np.full(n_posts, 1 / n_posts), size=resamples)
    return np.vstack([once, drawn.astype(np.float64)])


def share(weights: NDArray[np.float64], numbers: Values, of: Values) -> Sampled:
    """`numbers` and `of` by post; only posts that have something to share count as posts behind it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        values = (weights @ numbers) / (weights @ of)
    values[~np.isfinite(values)] = np.nan
    return Sampled(values, int(of.sum()), int((of > 0).sum()))


def median(weights: NDArray[np.float64], by_post: Sequence[Sequence[float]]) -> Sampled:
    """The median over all numbers of a condition, each as often as its post was drawn."""
    flat = np.array([number for numbers in by_post for number in numbers])
    post = np.repeat(np.arange(len(by_post)), [len(numbers) for numbers in by_post])
    if not len(flat):
        return Sampled(np.full(len(weights), np.nan), 0, 0)
    order = np.argsort(flat, kind="stable")
    flat, post = flat[order], post[order]
    found = np.array([_weighted_median(flat, row[post]) for row in weights])
    return Sampled(found, len(flat), sum(1 for numbers in by_post if numbers))


def _weighted_median(ordered: Values, times: Values) -> float:
    """Of each number so many times; between the two middle ones where there are an even number.

    >>> _weighted_median(np.array([1.0, 2.0, 9.0]), np.array([1, 1, 0]))
    1.5
    """
    up_to = np.cumsum(times)
    if not up_to[-1]:
        return float("nan")
    low, high = np.searchsorted(up_to, [up_to[-1] / 2, up_to[-1] / 2 + 0.5], side="left")
    return float((ordered[low] + ordered[min(high, len(ordered) - 1)]) / 2)


def contrast(blind: Sampled, suggested: Sampled) -> Contrast:
    one, other = blind.estimate(), suggested.estimate()
    if one.value is None or other.value is None:
        return Contrast(one, other, None, None, None, None, None)
    apart = suggested.values - blind.values
    if min(one.n_posts, other.n_posts) < LEAST_POSTS:
        return Contrast(one, other, float(apart[0]), None, None, None, None)
    interval, p = percentile_interval(apart[1:]), two_sided_p(apart[1:])
    return Contrast(one, other, float(apart[0]), interval.low, interval.high, p, p)
