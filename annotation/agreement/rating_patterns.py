"""Ratings as a histogram of rating patterns: every measure depends on nothing else, and there are few patterns."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.values import Ratings

GAP = -1
# Up to this many possible patterns are counted in a table; more are sorted instead.
_TABLE_SIZE = 1 << 20
_SMALL_RANGE = 64


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """`codes[p, r]` is the place in `categories` of what rater r said in pattern p, GAP where nothing.

    `place[i]` is the pattern of item i, `counts[p]` how many items have it; items that nobody rated have the
    pattern of gaps only.
    """

    categories: NDArray[np.float64]
    codes: NDArray[np.int64]
    place: NDArray[np.int64]
    counts: NDArray[np.int64]

    @property
    def n_ratings(self) -> NDArray[np.int64]:
        """How many ratings each pattern has."""
        found: NDArray[np.int64] = (self.codes != GAP).sum(axis=1)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Meetings:
    """Every two ratings that meet in a pattern: raters `pair[e]` said `first[e]` and `second[e]` in `rows[e]`."""

    pairs: tuple[tuple[int, int], ...]
    pair: NDArray[np.int64]
    rows: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]


def meetings_in(patterns: Patterns) -> Meetings:
    """The pairs are in the order of the raters' columns."""
    n_raters = patterns.codes.shape[1]
    pairs = tuple((one, other) for one in range(n_raters) for other in range(one + 1, n_raters))
    rated = patterns.codes != GAP
    rows = [np.flatnonzero(rated[:, one] & rated[:, other]) for one, other in pairs]
    of_each = list(zip(rows, pairs, strict=True))
    return Meetings(
        pairs=pairs,
        pair=np.repeat(np.arange(len(pairs)), [len(both) for both in rows]),
        rows=_join([both for both, _ in of_each]),
        first=_join([patterns.codes[both, one] for both, (one, _) in of_each]),
        second=_join([patterns.codes[both, other] for both, (_, other) in of_each]),
    )


def _join(pieces: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate(pieces) if pieces else np.empty(0, dtype=np.int64)


def patterns_of(ratings: Ratings) -> Patterns:
    """The distinct rows of a table of ratings, in order.

    >>> values = np.array([[1, 0], [1, 1], [np.nan, 1], [1, 1]])
    >>> found = patterns_of(Ratings(("a", "b", "c", "d"), ("Ann", "Bob"), values, ("a", "b", "c", "d")))
    >>> found.codes.tolist(), found.place.tolist(), found.counts.tolist()
    ([[-1, 1], [1, 0], [1, 1]], [1, 2, 0, 2], [1, 1, 2])
    """
    categories, codes = _encode(ratings.values)
    n_codes, n_raters = len(categories) + 1, codes.shape[1]
    if n_raters * np.log2(n_codes) > 62:
        rows, place, counts = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
        return Patterns(categories, rows, place.ravel(), counts)
    powers = n_codes ** np.arange(n_raters - 1, -1, -1, dtype=np.int64)
    keys = (codes + 1) @ powers
    if n_codes**n_raters <= _TABLE_SIZE:
        table = np.bincount(keys, minlength=1)
        found = np.flatnonzero(table)
        lookup = np.zeros(len(table), dtype=np.int64)
        lookup[found] = np.arange(len(found))
        place, counts = lookup[keys], table[found]
    else:
        found, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return Patterns(categories, found[:, None] // powers % n_codes - 1, place, counts)


def _encode(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The categories that occur, ascending, and the place of each rating among them."""
    rated = ~np.isnan(values)
    if not rated.any():
        return np.empty(0), np.full(values.shape, GAP)
    filled = np.where(rated, values, values.flat[np.argmax(rated)])
    lowest = filled.min()
    if filled.max() - lowest < _SMALL_RANGE and lowest.is_integer():
        steps = (filled - lowest).astype(np.int8)
        if np.array_equal(steps + lowest, filled):
            used = np.bincount(steps.ravel()) > 0
            places = np.cumsum(used) - 1
            return lowest + np.flatnonzero(used), np.where(rated, places[steps], GAP)
    categories, found = np.unique(values[rated], return_inverse=True)
    codes = np.full(values.shape, GAP)
    codes[rated] = found.ravel()
    return categories, codes
