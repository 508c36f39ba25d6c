"""Fleiss' kappa: agreement beyond what raters would reach by chance if all drew from the same shares of answers.

    κ = (p_o - p_e) / (1 - p_e),   p_e = Σ_k π_k²

p_o is raw agreement and π_k the mean over items of the share of category k (see `totals.CategoryTotals`). On complete
tables this is Fleiss (1971, Psychological Bulletin 76, 378–382). Gaps are treated as by Gwet (2014, Handbook of
Inter-Rater Reliability, 4th ed., ch. 2 and 5): an item with one rating tells how common a category is but nothing about
agreement.
"""

from collections.abc import Sequence

import numpy as np

from annotation.agreement.bootstrap import Values
from annotation.agreement.registry import Statistic
from annotation.agreement.totals import Totals


def fleiss_kappa(totals: Totals) -> Values:
    """NaN where only one category occurs.

    Two raters agree on two of four items; 1 is said six times, 0 twice:

    >>> from annotation.agreement.ratings import ratings_table
    >>> from annotation.agreement.totals import totals_of
    >>> found = fleiss_kappa(totals_of(ratings_table([[1, 1], [1, 0], [0, 1], [1, 1]])))
    >>> round(float(found[0]), 4)  # π = 1/4, 3/4: chance agrees in 10 of 16 cases, (8 - 10) / 6
    -0.3333
    """
    found = totals.categories
    with np.errstate(divide="ignore", invalid="ignore"):
        unlike = 1 - (found.shares**2).sum(axis=1)
        return np.where(found.varied, 1 - found.disagreement / unlike, np.nan)


def unlike_by_chance(shares: Sequence[float]) -> float:
    """1 - Σ_k π_k²: how often two answers drawn at random differ."""
    return 1 - sum(share**2 for share in shares)


STATISTIC = Statistic(
    name="fleiss_kappa",
    label="Fleiss' kappa",
    head="Fleiss’ κ",
    tex=r"$\kappa$",
    formula="(p_o - p_e) / (1 - p_e) with p_e = Σ_k π_k², π_k the mean over items of r_ik / r_i",
    gaps="as raw agreement; an item with one rating still counts in π",
    source="Fleiss 1971, *Psychological Bulletin* 76; for gaps Gwet 2014, *Handbook of Inter-Rater Reliability*",
    function=fleiss_kappa,
    weighing="every {noun} weighs the same",
    order=10,
    counts_single_ratings=True,
    chance_disagreement=unlike_by_chance,
    is_misled_by_rare_answers=True,
    in_short_tables=True,
)
