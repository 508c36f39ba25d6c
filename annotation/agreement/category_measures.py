"""Raw agreement, Fleiss' kappa and Gwet's AC1: the same observed agreement, with different ideas of chance.

With r_ik the number of raters who put item i into category k, and r_i = Σ_k r_ik:

    observed   p_o = mean over items with r_i ≥ 2 of  Σ_k r_ik (r_ik - 1) / (r_i (r_i - 1))
    shares     π_k = mean over items with r_i ≥ 1 of  r_ik / r_i
    Fleiss     p_e = Σ_k π_k²                          κ   = (p_o - p_e) / (1 - p_e)
    Gwet       p_e = Σ_k π_k (1 - π_k) / (q - 1)       AC1 = (p_o - p_e) / (1 - p_e)

On complete tables this is Fleiss (1971, Psychological Bulletin 76, 378–382). Gaps are treated as by Gwet
(2014, Handbook of Inter-Rater Reliability, 4th ed., ch. 2 and 5): an item with one rating tells how common a
category is but nothing about agreement. q counts the categories that occur in the whole table.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.patterns import GAP, Meetings, Patterns
from annotation.agreement.sums import Sums, sums_of

_DISAGREEMENT, _PAIRED, _RATED, _FIRST_CATEGORY = 0, 1, 2, 3


def category_sums(patterns: Patterns, meetings: Meetings) -> Sums:
    """What the three measures add up over items."""
    n = patterns.n_ratings
    rows = np.arange(len(n))
    differ = meetings.rows[meetings.first != meetings.second]
    at, rater = np.nonzero(patterns.codes != GAP)
    return sums_of(
        len(n),
        _FIRST_CATEGORY + len(patterns.categories),
        (differ, _DISAGREEMENT, 2 / (n[differ] * (n[differ] - 1))),
        (rows, _PAIRED, (n >= 2).astype(np.int64)),
        (rows, _RATED, (n >= 1).astype(np.int64)),
        (at, _FIRST_CATEGORY + patterns.codes[at, rater], 1 / n[at]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class CategoryMeasures:
    """One value per row of sums, NaN where undefined."""

    raw_agreement: NDArray[np.float64]
    fleiss_kappa: NDArray[np.float64]
    gwet_ac1: NDArray[np.float64]


def category_measures(sums: NDArray[np.float64]) -> CategoryMeasures:
    """The three measures from rows of sums.

    Two raters agree on two of four items; 1 is said six times, 0 twice:

    >>> from annotation.agreement.patterns import meetings_in, patterns_of
    >>> from annotation.agreement.ratings import ratings_table
    >>> patterns = patterns_of(ratings_table([[1, 1], [1, 0], [0, 1], [1, 1]]))
    >>> found = category_measures(category_sums(patterns, meetings_in(patterns)).weighted(patterns.counts[None]))
    >>> float(found.raw_agreement[0])
    0.5
    >>> round(float(found.fleiss_kappa[0]), 4)  # π = 1/4, 3/4: chance agrees in 10 of 16 cases, (8 - 10) / 6
    -0.3333
    >>> round(float(found.gwet_ac1[0]), 4)  # chance agrees in 2 · 3/16 of the cases, (8 - 6) / 10
    0.2
    """
    counts = sums[:, _FIRST_CATEGORY:]
    with np.errstate(divide="ignore", invalid="ignore"):
        disagreement = sums[:, _DISAGREEMENT] / sums[:, _PAIRED]
        shares = counts / sums[:, _RATED, None]
        varied = (counts > 0).sum(axis=1) > 1
        unlike = 1 - (shares**2).sum(axis=1)
        by_chance = (
            (shares * (1 - shares)).sum(axis=1) / (counts.shape[1] - 1) if counts.shape[1] > 1 else np.nan
        )
        return CategoryMeasures(
            raw_agreement=1 - disagreement,
            fleiss_kappa=np.where(varied, 1 - disagreement / unlike, np.nan),
            gwet_ac1=1 - disagreement / (1 - by_chance),
        )
