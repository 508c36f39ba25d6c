"""Compares word sequences by their shingles without looking at every pair, and misses none.

Two sets with a Jaccard similarity of at least t share one of the first |A| - ⌈t |A|⌉ + 1 members of each, whatever the
order of members (S. Chaudhuri, V. Ganti, R. Kaushik, "A primitive operator for similarity joins in data cleaning", ICDE
2006). Rare shingles come first, so that few texts are compared.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_SHINGLE = 3
# t n must not count as more than a whole number because it is a hair above it in floating point.
_HAIR = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Shingles:
    """Text i has the shingles `members[starts[i]:starts[i + 1]]`, each once; shingle s is in `holders[s]` texts, and a
    smaller number means a rarer shingle."""

    members: NDArray[np.int64]
    starts: NDArray[np.int64]
    holders: NDArray[np.int64]

    def of(self, text: int) -> frozenset[int]:
        return frozenset(self.members[self.starts[text] : self.starts[text + 1]].tolist())


def shingles_of(texts: Sequence[tuple[str, ...]]) -> Shingles:
    """The runs of three words of each text.

    >>> shingles = shingles_of([("so", "sorry", "for", "you"), ("sorry", "for", "you")])
    >>> len(shingles.of(0)), len(shingles.of(1)), shingles.of(1) < shingles.of(0)
    (2, 1, True)
    """
    owner, numbers = _number_shingles(texts)
    n_numbers = int(numbers.max(initial=-1)) + 1
    once = np.unique(owner * n_numbers + numbers)
    owner, numbers = np.divmod(once, max(n_numbers, 1))
    holders = np.bincount(numbers, minlength=n_numbers)
    rarest_first = np.argsort(holders, kind="stable")
    rank = np.empty(n_numbers, dtype=np.int64)
    rank[rarest_first] = np.arange(n_numbers)
    members = np.sort(owner * n_numbers + rank[numbers]) - owner * n_numbers
    starts = np.concatenate(([0], np.cumsum(np.bincount(owner, minlength=len(texts)))))
    return Shingles(members, starts, holders[rarest_first])


def _number_shingles(texts: Sequence[tuple[str, ...]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every run of words with the text it is in; runs are numbered anew with each word, so none is mistaken."""
    words = {word: at for at, word in enumerate(sorted({word for text in texts for word in text}))}
    sequence = np.fromiter((words[word] for text in texts for word in text), dtype=np.int64)
    owner = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    runs = sequence
    for length in range(1, _SHINGLE):
        longer = runs[:-1] * (len(words) + 1) + sequence[length:]
        runs = np.unique(longer, return_inverse=True)[1].astype(np.int64)
    begin = owner[: len(runs)]
    is_in_one_text = begin == owner[_SHINGLE - 1 :]
    return begin[is_in_one_text], runs[is_in_one_text]


def similarity(first: frozenset[int], second: frozenset[int]) -> float:
    """Jaccard's: how many members both have, divided by how many either has."""
    shared = len(first & second)
    return shared / ((len(first) + len(second) - shared) or 1)


def is_near(value: float, threshold: float) -> bool:
    return value >= threshold - _HAIR


def candidates(shingles: Shingles, threshold: float) -> Iterator[list[int]]:
    """Texts, ascending, that share a telling shingle: any two that reach the threshold are together at least once."""
    sizes = np.diff(shingles.starts)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    place = np.arange(len(owner)) - shingles.starts[owner]
    kept = sizes - np.ceil(threshold * sizes - _HAIR) + 1
    is_kept = (place < kept[owner]) & (shingles.holders[shingles.members] > 1)
    members, owner = shingles.members[is_kept], owner[is_kept]
    order = np.lexsort((owner, members))
    cuts = np.flatnonzero(np.diff(members[order])) + 1
    for texts in np.split(owner[order], cuts):
        yield texts.tolist()
