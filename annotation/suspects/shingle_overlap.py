"""Compares word sequences by their shingles without looking at every pair, and misses none.

Two sets with a Jaccard similarity of at least t share one of the first |A| - ⌈t |A|⌉ + 1 members of each, whatever the
order of members (S. Chaudhuri, V. Ganti, R. Kaushik, "A primitive operator for similarity joins in data cleaning", ICDE
2006). Rare shingles come first, so that few pairs are looked at.
"""

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

_SHINGLE = 3
# ⌈t n⌉ must not grow because t n is a hair above a whole number in floating point.
_HAIR = 1e-9


def similar_pairs(texts: Sequence[tuple[str, ...]], *, threshold: float) -> dict[tuple[int, int], float]:
    """Places (smaller first) of texts whose similarity is at least `threshold`, which must be above 0, in order.

    >>> similar_pairs([tuple("abcdef"), tuple("abcdeg"), tuple("uvwxyz")], threshold=0.6)
    {(0, 1): 0.6}
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"A threshold of {threshold} is not a similarity: take one above 0, up to 1.")
    shingles = _shingles(texts)
    sets = [frozenset(mine.tolist()) for mine in shingles]
    near: dict[tuple[int, int], float] = {}
    for first, second in sorted(_candidates(shingles, threshold)):
        shared = len(sets[first] & sets[second])
        similarity = shared / (len(sets[first]) + len(sets[second]) - shared)
        if similarity >= threshold - _HAIR:
            near[first, second] = similarity
    return near


def _shingles(texts: Sequence[tuple[str, ...]]) -> list[NDArray[np.int64]]:
    """Each text's own shingles as numbers, the rarest shingle of all texts having the smallest number."""
    words = {word: at for at, word in enumerate(sorted({word for text in texts for word in text}))}
    sequence = np.fromiter((words[word] for text in texts for word in text), dtype=np.int64)
    owner = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    numbers = sequence
    # Numbers stay small because each round counts them anew: no shingle is ever taken for another.
    for length in range(1, _SHINGLE):
        numbers = np.unique(
            numbers[: len(numbers) - 1] * (len(words) + 1) + sequence[length:], return_inverse=True
        )[1]
    begins = max(len(owner) - _SHINGLE + 1, 0)
    is_whole = owner[:begins] == owner[len(owner) - begins :]
    pairs = np.unique(np.stack([owner[:begins][is_whole], numbers[:begins][is_whole]]), axis=1)
    rarity = np.bincount(pairs[1])
    rank = np.empty(len(rarity), dtype=np.int64)
    rank[np.argsort(rarity, kind="stable")] = np.arange(len(rarity))
    ranked = rank[pairs[1]]
    order = np.lexsort((ranked, pairs[0]))
    ends = np.cumsum(np.bincount(pairs[0], minlength=len(texts)))
    return np.split(ranked[order], ends[:-1])


def _candidates(shingles: list[NDArray[np.int64]], threshold: float) -> set[tuple[int, int]]:
    keep = [len(mine) - math.ceil(threshold * len(mine) - _HAIR) + 1 if len(mine) else 0 for mine in shingles]
    holders: dict[int, list[int]] = {}
    for place, (mine, n) in enumerate(zip(shingles, keep, strict=True)):
        for shingle in mine[:n].tolist():
            holders.setdefault(shingle, []).append(place)
    sizes = [len(mine) for mine in shingles]
    return {
        (first, second)
        for places in holders.values()
        for first, second in combinations(places, 2)
        if min(sizes[first], sizes[second]) >= threshold * max(sizes[first], sizes[second]) - _HAIR
    }
