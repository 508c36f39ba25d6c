"""The maximum of Cohen's kappa: the largest value that the raters' margins allow, beside which kappa is read.

    κ_max = (p_max - p_e) / (1 - p_e),   p_max = Σ_k min(p_k, q_k),   p_e = Σ_k p_k q_k

p_k and q_k are the shares of category k in each one's ratings of the items that both rated. Two raters who use the
categories differently often cannot agree on everything, however the items fall: a kappa of 0.5 is much where 0.6 is the
most that can be, and little where it is 1 (Cohen 1960, Educational and Psychological Measurement 20, 37–46; Umesh,
Peterson & Sauber 1989, Educational and Psychological Measurement 49, 835–850). It says nothing of how well raters
agree, so no rule can rest on it. With more than two raters, it is the mean over pairs.
"""

import numpy as np

from annotation.agreement.bootstrap import Values
from annotation.agreement.registry import Statistic
from annotation.agreement.totals import Totals


def kappa_max(totals: Totals) -> Values:
    """Of every pair; NaN where they share no item, and where both always say the same one thing.

    >>> from annotation.agreement.ratings import ratings_table
    >>> from annotation.agreement.totals import totals_of
    >>> totals = totals_of(ratings_table([[1, 1], [1, 0], [0, 0], [1, 1], [None, 1]]))
    >>> kappa_max(totals).tolist()  # p_max = 1/2 + 1/4; p_e = 3/4 · 1/2 + 1/4 · 1/2
    [[0.5]]
    """
    pairs = totals.pairs
    with np.errstate(divide="ignore", invalid="ignore"):
        unlike = pairs.n**2 - (pairs.first * pairs.second).sum(axis=2)
        least = pairs.n - np.minimum(pairs.first, pairs.second).sum(axis=2)
        return np.where(unlike > 0, 1 - pairs.n * least / unlike, np.nan)


STATISTIC = Statistic(
    name="kappa_max",
    label="maximum of Cohen's kappa",
    head="Max. Cohen’s κ",
    tex=r"$\kappa_{\max}$",
    formula="for two raters, (p_max - p_e) / (1 - p_e) with p_max = Σ_k min(p_k, q_k) and p_e as in Cohen's kappa; the "
    "mean over pairs",
    gaps="as mean Cohen's kappa",
    source="Cohen 1960, *Educational and Psychological Measurement* 20; Umesh, Peterson and Sauber 1989, in 49",
    function=kappa_max,
    weighing="every pair of raters counts on the {noun}s that both rated",
    order=44,
    since=3,
    of_pair="the maximum of kappa",
    has_band=False,
)
