"""Which few of many texts stand best for all of them, by facility location: each text counts what its nearest chosen
one is worth to it.

    f(S) = sum_i w_i max_{s in S} sim(i, s)

f grows by less the more is chosen, so choosing the best next one again and again reaches at least 1 - 1/e of what the
best set of that size would. (Nemhauser, Wolsey & Fisher 1978, Mathematical Programming 14, 265-294.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from learning.input_likeness import words_of

Matrix = NDArray[np.float64]


def choose_representatives(similarity: Matrix, n: int, weights: Matrix | None = None) -> list[int]:
    """Columns of the matrix, the most telling first; at most n, and the first of those that are equally good.

    >>> choose_representatives(np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 1.0]]), 2)
    [0, 2]
    """
    worth = np.ones(len(similarity)) if weights is None else weights
    best = np.zeros(len(similarity))
    chosen: list[int] = []
    for _ in range(min(n, similarity.shape[1])):
        gains = worth @ np.maximum(similarity - best[:, None], 0.0)
        gains[chosen] = -1.0
        chosen.append(int(gains.argmax()))
        best[:] = np.maximum(best, similarity[:, chosen[-1]])
    return chosen


def word_similarity(texts: Sequence[str]) -> Matrix:
    """Cosines of the texts' word counts; a text without a word is like nothing.

    >>> word_similarity(["I feel you", "i feel it", "..."]).round(2).tolist()
    [[1.0, 0.67, 0.0], [0.67, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    counts = [Counter(words_of(text)) for text in texts]
    places = {word: at for at, word in enumerate(sorted(set().union(*counts)))}
    rows = np.zeros((len(texts), len(places)))
    for row, count in zip(rows, counts, strict=True):
        for word, times in count.items():
            row[places[word]] = times
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = rows / np.maximum(lengths, 1e-12)
    return np.asarray(unit @ unit.T)
