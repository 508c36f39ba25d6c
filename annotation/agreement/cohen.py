"""Cohen's kappa for each pair of raters: chance is what their own habits would make of it.

    κ = (p_o - p_e) / (1 - p_e),   p_e = Σ_k p_k q_k

p_o is the share of the items that both rated on which they say the same; p_k and q_k are the shares of category k
in each one's ratings of these items (Cohen 1960, Educational and Psychological Measurement 20, 37–46).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.patterns import Meetings, Patterns
from annotation.agreement.sums import Sums, sums_of


def pair_sums(patterns: Patterns, meetings: Meetings) -> Sums:
    """Columns by pair: items that both rated, those they differ on, and each one's categories."""
    q = len(patterns.categories)
    width = 2 + 2 * q
    start = meetings.pair * width
    differ = (meetings.first != meetings.second).astype(np.int64)
    return sums_of(
        len(patterns.codes),
        width * len(meetings.pairs),
        (meetings.rows, start, 1),
        (meetings.rows, start + 1, differ),
        (meetings.rows, start + 2 + meetings.first, 1),
        (meetings.rows, start + 2 + q + meetings.second, 1),
    )


@dataclass(frozen=True, slots=True, eq=False)
class PairMeasures:
    """Rows of sums × pairs; NaN where a pair shares no item, and for kappa where both always say the same one thing."""

    kappa: NDArray[np.float64]
    raw_agreement: NDArray[np.float64]
    n_items: NDArray[np.float64]


def pair_measures(sums: NDArray[np.float64], n_pairs: int) -> PairMeasures:
    """Kappa and raw agreement of every pair.

    >>> from annotation.agreement.patterns import meetings_in, patterns_of
    >>> from annotation.agreement.ratings import ratings_table
    >>> patterns = patterns_of(ratings_table([[1, 1], [1, 0], [0, 0], [1, 1], [None, 1]]))
    >>> found = pair_measures(pair_sums(patterns, meetings_in(patterns)).weighted(patterns.counts[None]), 1)
    >>> found.kappa.tolist(), found.raw_agreement.tolist()  # p_e = 3/4 · 1/2 + 1/4 · 1/2
    ([[0.5]], [[0.75]])
    """
    if not n_pairs:
        nothing = np.empty((len(sums), 0))
        return PairMeasures(nothing, nothing, nothing)
    by_pair = sums.reshape(len(sums), n_pairs, -1)
    n, differ = by_pair[..., 0], by_pair[..., 1]
    q = (by_pair.shape[2] - 2) // 2
    together = (by_pair[..., 2 : 2 + q] * by_pair[..., 2 + q :]).sum(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        unlike = n**2 - together
        return PairMeasures(
            kappa=np.where(unlike > 0, 1 - n * differ / unlike, np.nan),
            raw_agreement=1 - differ / n,
            # A view would keep all the sums in memory.
            n_items=n.copy(),
        )


def mean_of_defined(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean along the last axis of what is defined, NaN where nothing is.

    >>> mean_of_defined(np.array([[0.25, np.nan, 0.75], [np.nan, np.nan, np.nan]])).tolist()
    [0.5, nan]
    """
    defined = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        found: NDArray[np.float64] = np.where(defined, values, 0).sum(axis=-1) / defined.sum(axis=-1)
        return found
