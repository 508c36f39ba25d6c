"""Scott's pi for each pair of raters, and its mean: chance is what both would make of it with one and the same habit.

    π = (p_o - p_e) / (1 - p_e),   p_e = Σ_k ((p_k + q_k) / 2)²

p_o is the share of the items that both rated on which they say the same; p_k and q_k are the shares of category k in
each one's ratings of these items (Scott 1955, Public Opinion Quarterly 19, 321–325). It is made for two raters. With
more, it is the mean over all pairs of them that have a value; Fleiss' kappa is the other way to go on from two.
"""

import numpy as np

from annotation.agreement.bootstrap import Values
from annotation.agreement.registry import Statistic
from annotation.agreement.statistics.fleiss_kappa import unlike_by_chance
from annotation.agreement.totals import Totals


def scott_pi(totals: Totals) -> Values:
    """Of every pair; NaN where they share no item, and where both always say the same one thing.

    >>> from annotation.agreement.ratings import ratings_table
    >>> from annotation.agreement.totals import totals_of
    >>> totals = totals_of(ratings_table([[1, 1], [1, 0], [0, 0], [1, 1], [None, 1]]))
    >>> round(float(scott_pi(totals)[0, 0]), 4)  # p_o = 3/4; p_e = (5/8)² + (3/8)² = 34/64; (48 - 34) / (64 - 34)
    0.4667
    """
    pairs = totals.pairs
    with np.errstate(divide="ignore", invalid="ignore"):
        unlike = pairs.n**2 - ((pairs.first + pairs.second) ** 2).sum(axis=2) / 4
        return np.where(unlike > 0, 1 - pairs.n * pairs.differ / unlike, np.nan)


STATISTIC = Statistic(
    name="scott_pi",
    label="mean Scott's pi",
    head="Mean Scott’s π",
    tex=r"Scott's $\pi$",
    formula="for two raters, (p_o - p_e) / (1 - p_e) with p_e = Σ_k ((p_k + q_k) / 2)²; with more, the mean over pairs",
    gaps="the items that both rated; pairs without a value are left out of the mean",
    source="Scott 1955, *Public Opinion Quarterly* 19",
    function=scott_pi,
    weighing="every pair of raters counts on the {noun}s that both rated",
    order=42,
    since=2,
    of_pair="pi",
    chance_disagreement=unlike_by_chance,
    is_misled_by_rare_answers=True,
)
