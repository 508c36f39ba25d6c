"""Macro-F1: the mean of the F1 of each possible answer, so that a rare level weighs as much as a common one.

    macro-F1 = (1 / |K|) Σ_{k ∈ K} 2 n_kk / (n_k· + n_·k)

K are the answers that gold or the model gives to at least one item: an answer that the model gives and gold never
does counts 0, one that nobody gives is left out. These are scikit-learn's rules, by which EPITOME's scores
were made (Sharma et al. 2020, EMNLP).

Where gold gives one answer alone, it has no value: saying that answer always would be perfect, whatever the model
knows. K is that of all items on every resample, and a resample without one of gold's answers has no value either.
"""

import numpy as np

from annotation.agreement.resampling import Values
from annotation.scoring.family import ratio

GOLD_HAS_ONE = "Undefined: gold gives one and the same answer to all items."


def macro_f1(confusion: Values, whole: Values) -> Values:
    """`confusion[..., k, l]` counts items with gold's answer k and the model's answer l; `whole` is that of all items.

    >>> counts = np.array([[[4.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 0.0, 0.0]]])
    >>> macro_f1(counts, counts[0]).round(4).tolist()  # (8 / 10 + 4 / 6) / 2, the third answer occurs nowhere
    [0.7333]
    >>> without = np.array([[[4.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]])
    >>> macro_f1(without, counts[0]).tolist(), macro_f1(without, without[0]).tolist()
    ([nan], [nan])
    """
    in_gold = whole.sum(axis=-1) > 0
    used = in_gold | (whole.sum(axis=-2) > 0)
    gold, said = confusion.sum(axis=-1), confusion.sum(axis=-2)
    hits = np.diagonal(confusion, axis1=-2, axis2=-1)
    by_answer = np.nan_to_num(ratio(2 * hits, gold + said)[..., used])
    has_all = (gold[..., in_gold] > 0).all(axis=-1) & (in_gold.sum() > 1)
    return ratio(by_answer.sum(axis=-1), np.where(has_all, used.sum(), 0))
