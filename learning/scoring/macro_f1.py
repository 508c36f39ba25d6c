"""Macro-F1: the mean of the F1 of each possible answer, so that a rare level weighs as much as a common one.

    macro-F1 = (1 / |K|) Σ_{k ∈ K} 2 n_kk / (n_k· + n_·k)

K are the answers that gold or the model gives to at least one item: an answer that the model gives and gold never
does counts 0, one that nobody gives is left out. These are scikit-learn's rules, by which EPITOME's scores
were made (Sharma et al. 2020, EMNLP).

Where gold gives one answer alone, it has no value, as it is and on resamples: saying that answer always would be
perfect, whatever the model knows.
"""

import numpy as np

from annotation.agreement.bootstrap import Values
from annotation.agreement.totals import mean_of_defined
from learning.scoring.family import ratio

GOLD_HAS_ONE = "Undefined: gold gives one and the same answer to all items."


def macro_f1(confusion: Values) -> Values:
    """`confusion[..., k, l]` counts items with the gold answer k and the model's answer l.

    >>> counts = np.array([[[4.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 0.0, 0.0]]])
    >>> macro_f1(counts).round(4).tolist()  # (8 / 10 + 4 / 6) / 2, the third answer occurs nowhere
    [0.7333]
    >>> macro_f1(np.array([[[4.0, 1.0], [0.0, 0.0]]])).tolist()
    [nan]
    """
    return macro_f1_of_counts(
        np.diagonal(confusion, axis1=-2, axis2=-1), confusion.sum(axis=-1), confusion.sum(axis=-2)
    )


def macro_f1_of_counts(hits: Values, gold: Values, predicted: Values) -> Values:
    """From the numbers of items by answer, where there are too many answers for a table of pairs."""
    mean = mean_of_defined(ratio(2 * hits, gold + predicted))
    return np.where((gold > 0).sum(axis=-1) > 1, mean, np.nan)
