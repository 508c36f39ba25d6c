"""How many posts stand behind an estimate: one post drawn again and again is the same post, and proves nothing."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.rating_patterns import GAP, Patterns


@dataclass(frozen=True, slots=True, eq=False)
class IndependentUnits:
    """Posts with an item that two raters rated, and by pair of raters those with an item that both rated."""

    paired: int
    by_pair: NDArray[np.int64]


def independent_units(patterns: Patterns, clusters: NDArray[np.int64]) -> IndependentUnits:
    """`clusters[i]` is the post of item i; the pairs are in the order of the raters' columns.

    >>> from annotation.agreement.rating_patterns import patterns_of
    >>> from annotation.agreement.ratings import ratings_table
    >>> patterns = patterns_of(ratings_table([[1, 1, None], [0, 1, 1], [None, 1, 1]]))
    >>> found = independent_units(patterns, np.array([0, 0, 1]))
    >>> found.paired, found.by_pair.tolist()  # Ann meets both others in the first post only
    (2, [1, 1, 2])
    """
    rated = patterns.codes != GAP
    pairs = combinations(range(rated.shape[1]), 2)
    by_pair = [_with(rated[:, one] & rated[:, other], patterns, clusters) for one, other in pairs]
    return IndependentUnits(
        _with(patterns.n_ratings >= 2, patterns, clusters), np.array(by_pair, dtype=np.int64)
    )


def _with(chosen: NDArray[np.bool_], patterns: Patterns, clusters: NDArray[np.int64]) -> int:
    return int(np.count_nonzero(np.bincount(clusters[chosen[patterns.place]])))
