"""Gwet's AC1: agreement beyond chance, where chance is small if one answer is nearly all there is.

    AC1 = (p_o - p_e) / (1 - p_e),   p_e = Σ_k π_k (1 - π_k) / (q - 1)

p_o and π_k are as in Fleiss' kappa; q counts the categories that occur in the whole table (Gwet 2008, British Journal
of Mathematical and Statistical Psychology 61, 29–48). Gaps are treated as by Gwet (2014, Handbook of Inter-Rater
Reliability, 4th ed., ch. 2 and 5).
"""

from collections.abc import Sequence

import numpy as np

from annotation.agreement.bootstrap import Values
from annotation.agreement.registry import Statistic
from annotation.agreement.totals import Totals


def gwet_ac1(totals: Totals) -> Values:
    """NaN where only one category occurs.

    >>> from annotation.agreement.ratings import ratings_table
    >>> from annotation.agreement.totals import totals_of
    >>> found = gwet_ac1(totals_of(ratings_table([[1, 1], [1, 0], [0, 1], [1, 1]])))
    >>> round(float(found[0]), 4)  # π = 1/4, 3/4: chance agrees in 2 · 3/16 of the cases, (8 - 6) / 10
    0.2
    """
    found, q = totals.categories, totals.categories.shares.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        by_chance = (found.shares * (1 - found.shares)).sum(axis=1) / (q - 1) if q > 1 else np.nan
        values: Values = 1 - found.disagreement / (1 - by_chance)
        return values


def unlike_by_chance(shares: Sequence[float]) -> float:
    return 1 - (1 - sum(share**2 for share in shares)) / (len(shares) - 1)


STATISTIC = Statistic(
    name="gwet_ac1",
    label="Gwet's AC1",
    head="Gwet’s AC1",
    tex="AC1",
    formula="(p_o - p_e) / (1 - p_e) with p_e = Σ_k π_k (1 - π_k) / (q - 1) for the q categories that occur",
    gaps="as Fleiss' kappa",
    source="Gwet 2008, *British Journal of Mathematical and Statistical Psychology* 61",
    function=gwet_ac1,
    weighing="every {noun} weighs the same",
    order=30,
    counts_single_ratings=True,
    chance_disagreement=unlike_by_chance,
    in_short_tables=True,
)
