"""Cohen's kappa for each pair of raters, and its mean: chance is what their own habits would make of it.

    κ = (p_o - p_e) / (1 - p_e),   p_e = Σ_k p_k q_k

p_o is the share of the items that both rated on which they say the same; p_k and q_k are the shares of category k
in each one's ratings of these items (Cohen 1960, Educational and Psychological Measurement 20, 37–46).
"""

import numpy as np

from annotation.agreement.bootstrap import Values
from annotation.agreement.registry import Statistic
from annotation.agreement.statistics.fleiss_kappa import unlike_by_chance
from annotation.agreement.totals import Totals


def cohen_kappa(totals: Totals) -> Values:
    """Of every pair; NaN where they share no item, and where both always say the same one thing.

    >>> from annotation.agreement.ratings import ratings_table
    >>> from annotation.agreement.totals import totals_of
    >>> totals = totals_of(ratings_table([[1, 1], [1, 0], [0, 0], [1, 1], [None, 1]]))
    >>> cohen_kappa(totals).tolist(), totals.pairs.raw_agreement.tolist()  # p_e = 3/4 · 1/2 + 1/4 · 1/2
    ([[0.5]], [[0.75]])
    """
    pairs = totals.pairs
    with np.errstate(divide="ignore", invalid="ignore"):
        unlike = pairs.n**2 - (pairs.first * pairs.second).sum(axis=2)
        return np.where(unlike > 0, 1 - pairs.n * pairs.differ / unlike, np.nan)


STATISTIC = Statistic(
    name="cohen_kappa_mean",
    label="mean Cohen's kappa",
    head="Mean Cohen’s κ",
    tex=r"Cohen's $\kappa$",
    formula="for two raters, (p_o - p_e) / (1 - p_e) with p_e = Σ_k p_k q_k of their own shares; the mean over pairs",
    gaps="the items that both rated; pairs without a value are left out of the mean",
    source="Cohen 1960, *Educational and Psychological Measurement* 20",
    function=cohen_kappa,
    weighing="every pair of raters counts on the {noun}s that both rated",
    order=40,
    of_pair="kappa",
    chance_disagreement=unlike_by_chance,
    is_misled_by_rare_answers=True,
)
