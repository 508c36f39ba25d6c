"""Raw agreement: how often two ratings of one item are the same, chance or not.

    p_o = mean over items with r_i ≥ 2 of  Σ_k r_ik (r_ik - 1) / (r_i (r_i - 1))

r_ik raters put item i into category k, r_i rated it (Fleiss 1971, Psychological Bulletin 76, 378–382, formula 2).
"""

from annotation.agreement.bootstrap import Values
from annotation.agreement.registry import Statistic
from annotation.agreement.totals import Totals


def raw_agreement(totals: Totals) -> Values:
    """NaN where no item has two ratings.

    >>> from annotation.agreement.ratings import ratings_table
    >>> from annotation.agreement.totals import totals_of
    >>> float(raw_agreement(totals_of(ratings_table([[1, 1], [1, 0], [0, 1], [1, 1]])))[0])  # two items of four
    0.5
    """
    found: Values = 1 - totals.categories.disagreement
    return found


STATISTIC = Statistic(
    name="raw_agreement",
    label="raw agreement",
    head="Raw",
    tex="Raw",
    formula="p_o, the mean over items of Σ_k r_ik (r_ik - 1) / (r_i (r_i - 1))",
    gaps="items with fewer than two ratings are left out; every other item weighs the same, however many rated it",
    source="Fleiss 1971, *Psychological Bulletin* 76",
    function=raw_agreement,
    weighing="every {noun} weighs the same",
    order=90,
    chance_disagreement=lambda shares: 1.0,
    has_band=False,
    in_short_tables=True,
    as_percent=True,
)
