"""Shares and mean differences with 95% intervals by a bootstrap over posts: items of one post are drawn together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.bootstrap import Values, cluster_places, percentile_interval
from learning.probe.values import Rate
from learning.scoring.paired_bootstrap import difference
from learning.scoring.values import Difference

# Of the standard normal distribution, for 95%.
_Z = 1.959963984540054
NO_PROBABILITIES = "the model gives no probabilities."


def rate_over_posts(hits: Sequence[bool], posts: Sequence[str], *, resamples: int, seed: int) -> Rate:
    """Where all answers are alike every resample is too, and the interval is Wilson's, with posts for trials.

    >>> rate_over_posts([True] * 10, list("abcdefghij"), resamples=100, seed=1).low  # 1 / (1 + z² / 10)
    0.722467...
    """
    if not hits:
        return Rate(None, None, None, 0, 0)
    drawn, n_posts = _resampled_means(np.asarray(hits, dtype=np.float64)[None], posts, resamples, seed)
    value = float(drawn[0, 0])
    if value in (0.0, 1.0):
        return Rate(value, *wilson_interval(round(value * n_posts), n_posts), len(hits), n_posts)
    interval = percentile_interval(drawn[0, 1:])
    return Rate(value, interval.low, interval.high, len(hits), n_posts)


def wilson_interval(hits: int, n: int) -> tuple[float, float]:
    """Wilson's score interval for a share. (Wilson 1927, Journal of the American Statistical Association 22, 209-212.)

    >>> low, high = wilson_interval(5, 10)
    >>> round(low, 4), round(high, 4)
    (0.2366, 0.7634)
    """
    share, spread = hits / n, _Z**2 / n
    centre = (share + spread / 2) / (1 + spread)
    half = _Z * np.sqrt(share * (1 - share) / n + spread / (4 * n)) / (1 + spread)
    return float(max(0.0, centre - half)), float(min(1.0, centre + half))


def mean_difference(
    first: Sequence[float], second: Sequence[float], posts: Sequence[str], *, resamples: int, seed: int
) -> Difference:
    """Of the means of paired values, first minus second, on the same resamples of posts."""
    drawn, n_posts = _resampled_means(np.array([first, second]), posts, resamples, seed)
    return difference(drawn[0], drawn[1], reasons=(NO_PROBABILITIES, NO_PROBABILITIES), n_units=n_posts)


def _resampled_means(
    rows: Values, posts: Sequence[str], resamples: int, seed: int
) -> tuple[NDArray[np.float64], int]:
    """A row of means for each row of values: of all items in place 0, of the resamples after it."""
    places, n_posts = cluster_places(tuple(f"{at}" for at in range(len(posts))), tuple(posts))
    sizes = np.bincount(places, minlength=n_posts)
    sums = np.stack([np.bincount(places, row, n_posts) for row in rows])
    rng = np.random.default_rng(seed)
    times = rng.multinomial(n_posts, np.full(n_posts, 1 / n_posts), size=resamples)
    weights = np.vstack([np.ones(n_posts), times])
    return np.asarray((sums @ weights.T) / (weights @ sizes), dtype=np.float64), n_posts
