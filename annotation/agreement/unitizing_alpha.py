"""Krippendorff's alpha for marked words, with every token as a unit that an annotator marked or did not.

    alpha_U = 1 - D_o / D_e = 1 - (N - 1) Σ_i 2 Σ_pairs |A Δ B| / (m_i - 1) / (2 n_1 n_0)

m_i annotators answered item i, which has L_i tokens; A and B are the tokens that two of them marked. N = Σ_i m_i L_i,
of which n_1 are marked and n_0 are not. This is the binary member of the unitizing family (Krippendorff, Mathet, Bouvry
& Widlöcher 2016, Quality & Quantity 50, 2347–2364) on a text that is cut into tokens: 1 if all mark the same words, 0
if they meet no more often than if each had marked as many words anywhere. Longer passages weigh more, and unlike the
overlaps it counts the words that nobody marked, and expects some agreement by chance.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.bootstrap import Values
from annotation.agreement.sparse_sums import Entries

# What is added up over items: unlike tokens of two answers, marked tokens, tokens.
UNLIKE, MARKED, TOKENS, WIDTH = 0, 1, 2, 3
Places = Mapping[int, frozenset[int]]


def unitizing_alpha(sums: Values) -> Values:
    """From the three sums along the last axis; NaN where nothing or everything is marked.

    Of ten tokens Ann marks 1, 2 and 3, Bob 2, 3 and 4:

    >>> round(float(unitizing_alpha(np.array([2 * 2.0, 6, 20]))), 4)  # D_o = 4 / 20, D_e = 2 · 6 · 14 / (20 · 19)
    0.5476
    """
    unlike, marked, tokens = (sums[..., at] for at in (UNLIKE, MARKED, TOKENS))
    by_chance = 2 * marked * (tokens - marked)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Values = np.where(by_chance > 0, 1 - (tokens - 1) * unlike / by_chance, np.nan)
        return found


def token_sums(
    places: Sequence[Places], answered: NDArray[np.bool_], lengths: NDArray[np.int64], first_column: int
) -> list[Entries]:
    """The sums for these annotators from the given column on; a row is an item, and one with fewer than two answers
    adds nothing. `answered` is items × annotators, `places` has what each marked."""
    m = answered.sum(axis=1)
    rows = np.flatnonzero(m >= 2)
    marked, unlike = np.zeros(len(m)), np.zeros(len(m))
    nothing: frozenset[int] = frozenset()
    for at, own in enumerate(places):
        for item, tokens in own.items():
            marked[item] += len(tokens) * answered[item, at]
    for one, other in combinations(range(len(places)), 2):
        for item in places[one].keys() | places[other].keys():
            if answered[item, one] and answered[item, other]:
                apart = len(places[one].get(item, nothing) ^ places[other].get(item, nothing))
                unlike[item] += 2 * apart / (m[item] - 1)
    amounts = (unlike, marked, (m * lengths).astype(np.float64))
    return [(rows, first_column + at, each[rows]) for at, each in enumerate(amounts)]


def unseen_tokens(places: Sequence[Places], lengths: NDArray[np.int64]) -> Values:
    """What posts add that nobody has seen (`bayesian_bootstrap`), as answers of two annotators who mark as many words
    as annotators do: neither marks any, both mark the same, both mark different ones."""
    sizes = [len(tokens) for own in places for tokens in own.values()]
    marked = float(np.mean(sizes)) if sizes else 0.0
    tokens = max(2 * float(lengths.mean()) if len(lengths) else 0.0, 4 * marked)
    return np.array([[0, 0, tokens], [0, 2 * marked, tokens], [4 * marked, 2 * marked, tokens]])
