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

from annotation.agreement.bootstrap import Values
from annotation.agreement.registry import Statistic
from annotation.agreement.statistics.fleiss_kappa import unlike_by_chance
from annotation.agreement.totals import DistanceTotals
from annotation.agreement.values import MeasurementLevel


def krippendorff_alpha(found: DistanceTotals) -> Values:
    """NaN where all pairable ratings are the same or there are none.

    >>> from annotation.agreement.ratings import ratings_table
    >>> from annotation.agreement.totals import totals_of
    >>> totals = totals_of(ratings_table([[1, 1], [2, 2], [3, 2], [3, None]]))
    >>> round(float(krippendorff_alpha(totals.distances)[0]), 4)  # D_o = 2; D_e = (36 - 2² - 3² - 1²) / 5 = 22 / 5
    0.5455
    """
    total = found.counts.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        if found.level is MeasurementLevel.NOMINAL:
            observed = found.met.sum(axis=1)
            expected = total**2 - (found.counts**2).sum(axis=1)
        else:
            scores = _scores(found)
            observed = (found.met * (scores[:, found.low] - scores[:, found.high]) ** 2).sum(axis=1)
            expected = 2 * total * (found.counts * scores**2).sum(axis=1)
        varied = (found.counts > 0).sum(axis=1) > 1
        return np.where(varied, 1 - (total - 1) * observed / expected, np.nan)


def _scores(found: DistanceTotals) -> Values:
    """Values or ranks around the mean of all pairable ratings; then Σ_c Σ_k n_c n_k d² = 2 n Σ_c n_c score_c²."""
    total = found.counts.sum(axis=1, keepdims=True)
    if found.level is MeasurementLevel.INTERVAL:
        mean: Values = (found.counts @ found.categories)[:, None] / total
        return found.categories - mean
    ranks: Values = np.cumsum(found.counts, axis=1) - found.counts / 2 - total / 2
    return ranks


STATISTIC = Statistic(
    name="krippendorff_alpha",
    label="Krippendorff's alpha",
    head="Krippendorff’s \N{GREEK SMALL LETTER ALPHA}",
    tex=r"$\alpha$",
    formula="1 - D_o / D_e, observed over expected distance between two ratings",
    gaps="native: every rating that has a partner weighs the same; items with fewer than two are left out",
    source="Krippendorff 2011, *Computing Krippendorff's Alpha-Reliability*",
    function=lambda totals: krippendorff_alpha(totals.distances),
    weighing="every rating weighs the same",
    order=20,
    chance_disagreement=unlike_by_chance,
    is_misled_by_rare_answers=True,
    depends_on_level=True,
    in_short_tables=True,
)
