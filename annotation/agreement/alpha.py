"""Krippendorff's alpha: observed over expected disagreement, with a distance that fits the ratings.

    alpha = 1 - D_o / D_e
    D_o = Σ_i Σ_{a≠b} d²(v_ia, v_ib) / (m_i - 1)          over items with m_i ≥ 2 ratings
    D_e = Σ_c Σ_k n_c n_k d²(c, k) / (n - 1)              n_c ratings c among the n pairable ones

    nominal   d² = 1 if c ≠ k, else 0
    interval  d² = (c - k)²
    ordinal   d² = (rank_c - rank_k)², the ranks being Σ_{g<c} n_g + n_c / 2 of the pairable ratings

Krippendorff (2011), Computing Krippendorff's Alpha-Reliability; gaps need nothing: an item with one rating has
nobody to disagree with and is left out.
"""

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.patterns import GAP, Meetings, Patterns
from annotation.agreement.sums import Sums, sums_of
from annotation.agreement.values import MeasurementLevel


class Alpha:
    """Alpha on one table of ratings; `sums` are added up over items, `values` are made of the sums."""

    def __init__(self, patterns: Patterns, meetings: Meetings, level: MeasurementLevel) -> None:
        self._categories = patterns.categories - (
            patterns.categories.mean() if len(patterns.categories) else 0
        )
        self._level = level
        differ = np.flatnonzero(meetings.first != meetings.second)
        rows, first, second = (each[differ] for each in (meetings.rows, meetings.first, meetings.second))
        n = patterns.n_ratings
        kinds = np.minimum(first, second) * len(self._categories) + np.maximum(first, second)
        found, columns = np.unique(kinds, return_inverse=True)
        self._low, self._high = np.divmod(found, max(1, len(self._categories)))
        at, rater = np.nonzero((patterns.codes != GAP) & (n >= 2)[:, None])
        self.sums: Sums = sums_of(
            len(n),
            len(found) + len(self._categories),
            (rows, columns.ravel(), 2 / (n[rows] - 1)),
            (at, len(found) + patterns.codes[at, rater], 1),
        )

    def values(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """One alpha per row of sums, NaN where all pairable ratings are the same or there are none.

        >>> from annotation.agreement.patterns import meetings_in, patterns_of
        >>> from annotation.agreement.ratings import ratings_table
        >>> patterns = patterns_of(ratings_table([[1, 1], [2, 2], [3, 2], [3, None]]))
        >>> alpha = Alpha(patterns, meetings_in(patterns), MeasurementLevel.NOMINAL)
        >>> found = alpha.values(alpha.sums.weighted(patterns.counts[None]))
        >>> round(float(found[0]), 4)  # D_o = 2; D_e = (36 - 2² - 3² - 1²) / 5 = 22 / 5
        0.5455
        """
        met, counts = sums[:, : len(self._low)], sums[:, len(self._low) :]
        total = counts.sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            if self._level is MeasurementLevel.NOMINAL:
                observed = met.sum(axis=1)
                expected = total**2 - (counts**2).sum(axis=1)
            else:
                scores = self._scores(counts)
                observed = (met * (scores[:, self._low] - scores[:, self._high]) ** 2).sum(axis=1)
                expected = 2 * total * (counts * scores**2).sum(axis=1)
            varied = (counts > 0).sum(axis=1) > 1
            return np.where(varied, 1 - (total - 1) * observed / expected, np.nan)

    def _scores(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values or ranks around the mean of all pairable ratings; then Σ_c Σ_k n_c n_k d² = 2 n Σ_c n_c score_c²."""
        total = counts.sum(axis=1, keepdims=True)
        if self._level is MeasurementLevel.INTERVAL:
            mean: NDArray[np.float64] = (counts @ self._categories)[:, None] / total
            return self._categories - mean
        ranks: NDArray[np.float64] = np.cumsum(counts, axis=1) - counts / 2 - total / 2
        return ranks
