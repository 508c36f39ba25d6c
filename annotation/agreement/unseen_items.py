"""What lies in the posts that nobody has seen, which make the intervals of agreement honest (`bayesian_bootstrap`).

There are three kinds, in this order: all give the commonest answer, all give another, two ratings differ. Where some
ratings differ in the data, they differ in the same way there: a near miss on a scale stays a near miss.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.rating_patterns import GAP, Meetings, Patterns

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class UnseenItems:
    """`shares[u, k]` is the share of answer k in unseen item u, `unlike[u]` whether its ratings differ, `differ[k, l]`
    for k < l how two different ratings are spread, and `n_ratings` how many ratings an item has on average."""

    shares: Values
    unlike: Values
    differ: Values
    n_ratings: float


def unseen_items(patterns: Patterns, meetings: Meetings) -> UnseenItems:
    """What a table of ratings says of items that it might have had.

    >>> from annotation.agreement.rating_patterns import meetings_in, patterns_of
    >>> from annotation.agreement.ratings import ratings_table
    >>> patterns = patterns_of(ratings_table([[0, 0], [0, 0], [0, 1], [2, 2], [2, 2], [0, 1]]))
    >>> found = unseen_items(patterns, meetings_in(patterns))
    >>> found.shares.round(2).tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.33, 0.67], [0.5, 0.5, 0.0]]
    """
    given, q = _answer_frequencies(patterns), len(patterns.categories)
    common = np.arange(q) == (given.argmax() if q else 0)
    others = np.where(common, 0, given)
    pair_counts = patterns.counts[meetings.rows].astype(np.float64)
    low, high = np.minimum(meetings.first, meetings.second), np.maximum(meetings.first, meetings.second)
    met = np.bincount(low * q + high, pair_counts, minlength=q * q).reshape(q, q)
    differ = np.triu(met, 1)
    if not differ.any():
        with_others = np.outer(common, others)
        differ = np.triu(with_others + with_others.T, 1)
    differ = differ / max(differ.sum(), 1e-300)
    of_unlike = (differ.sum(axis=0) + differ.sum(axis=1)) / 2 if q > 1 else common.astype(np.float64)
    compared = np.where(patterns.n_ratings >= 2, patterns.counts, 0)
    n_ratings = float(compared @ patterns.n_ratings / max(1, compared.sum()))
    shares = np.stack([common, others / max(others.sum(), 1e-300), of_unlike]).astype(np.float64)
    return UnseenItems(shares, np.array([0.0, 0.0, 1.0]), differ, n_ratings)


def _answer_frequencies(patterns: Patterns) -> Values:
    """How often each answer is given where two can be compared."""
    rows, raters = np.nonzero((patterns.codes != GAP) & (patterns.n_ratings >= 2)[:, None])
    counts = patterns.counts[rows].astype(np.float64)
    found = np.bincount(patterns.codes[rows, raters], counts, minlength=len(patterns.categories))
    return found.astype(np.float64)


def unseen_size(patterns: Patterns, clusters: NDArray[np.int64]) -> float:
    """How many items an unseen post has: as many as have another answer than the commonest, in posts that have one;
    where there is no other answer, as many as can be compared. So replies to few posts prove no more than the posts.

    >>> from annotation.agreement.rating_patterns import patterns_of
    >>> from annotation.agreement.ratings import ratings_table
    >>> patterns = patterns_of(ratings_table([[0, 0], [0, 0], [0, 1], [1, 1], [1, 0], [0, 0]]))
    >>> unseen_size(patterns, np.array([0, 0, 1, 1, 2, 2]))  # two such items in one post, one in another
    1.5
    """
    compared = patterns.n_ratings >= 2
    given = _answer_frequencies(patterns)
    others = (patterns.codes != GAP) & (patterns.codes != (given.argmax() if len(given) else 0))
    rare = compared & others.any(axis=1)
    chosen = (rare if (rare & (patterns.counts > 0)).any() else compared)[patterns.place]
    n_posts = np.count_nonzero(np.bincount(clusters[chosen]))
    return float(chosen.sum() / n_posts) if n_posts else 1.0
