"""Finds texts that say the same in almost the same words, so that what was said of them can be compared."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from annotation.label_errors.shingle_overlap import Shingles, candidates, is_near, shingles_of, similarity
from annotation.tokens import tokens


@dataclass(frozen=True, slots=True)
class NearTexts:
    """`groups` are items, sorted, that hang together by near-identical texts. Items with the same words have the same
    `place`; `shingles` are those of the places that are near another."""

    groups: tuple[tuple[str, ...], ...]
    place: Mapping[str, int]
    shingles: Mapping[int, frozenset[int]]
    threshold: float

    def similarity(self, item: str, other: str) -> float | None:
        """None where the two are not near: members of a group may be so only by way of others."""
        first, second = self.place.get(item), self.place.get(other)
        if first is None or second is None:
            return None
        if first == second:
            return 1.0
        value = similarity(self.shingles.get(first, frozenset()), self.shingles.get(second, frozenset()))
        return value if is_near(value, self.threshold) else None


def near_identical(
    texts: Iterable[tuple[str, str]], *, threshold: float = 0.8, fewest_words: int = 5
) -> NearTexts:
    """Items whose texts have the same words, whatever their case, marks and spaces, or share most of their shingles.

    Similarity is Jaccard's on runs of three words (A. Z. Broder, "On the resemblance and containment of documents",
    1997), computed exactly. Texts with fewer words than `fewest_words` say too little and are left out.

    >>> texts = [("a", "I am so sorry for you!"), ("b", "i am so  sorry for you"), ("c", "Cheer up, all of you")]
    >>> near = near_identical(texts)
    >>> near.groups, near.similarity("a", "b"), near.similarity("a", "c")
    ((('a', 'b'),), 1.0, None)
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"A threshold of {threshold} is not a similarity: take one above 0, up to 1.")
    by_words: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for item, text in sorted(texts):
        words = words_of(text)
        if len(words) >= fewest_words:
            by_words[words].append(item)
    members = list(by_words.values())
    shingles = shingles_of(list(by_words))
    connected = _connect(shingles, len(members), threshold)
    groups = (tuple(sorted(item for place in places for item in members[place])) for places in connected)
    return NearTexts(
        groups=tuple(sorted(group for group in groups if len(group) > 1)),
        place={item: at for at, items in enumerate(members) for item in items},
        shingles={place: shingles.of(place) for places in connected if len(places) > 1 for place in places},
        threshold=threshold,
    )


def words_of(text: str) -> tuple[str, ...]:
    """What a text says without its marks, spaces and capitals.

    >>> words_of("*Sorry*, I didn't… 很好!")
    ('sorry', 'i', 'didn', 't', '很', '好')
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    return tuple(plain[start:end] for start, end in tokens(plain) if plain[start:end].isalnum())


def _connect(shingles: Shingles, n_places: int, threshold: float) -> list[list[int]]:
    """Places that are near each other or by way of others; whoever is connected already is not compared again."""
    forest = _Forest(n_places)
    members = cache(shingles.of)
    for places in candidates(shingles, threshold):
        clusters: list[list[int]] = []
        for place in places:
            mine, apart = [place], []
            for cluster in clusters:
                if forest.root_of(cluster[0]) == forest.root_of(place) or any(
                    is_near(similarity(members(place), members(other)), threshold) for other in cluster
                ):
                    forest.join(cluster[0], place)
                    mine = cluster + mine
                else:
                    apart.append(cluster)
            clusters = [*apart, mine]
    return forest.trees()


class _Forest:
    """Disjoint sets; the smallest place of each is its root."""

    def __init__(self, n_places: int) -> None:
        self._above = list(range(n_places))

    def root_of(self, place: int) -> int:
        above = self._above
        while above[place] != place:
            above[place] = above[above[place]]
            place = above[place]
        return place

    def join(self, first: int, second: int) -> None:
        low, high = sorted((self.root_of(first), self.root_of(second)))
        self._above[high] = low

    def trees(self) -> list[list[int]]:
        grouped: dict[int, list[int]] = defaultdict(list)
        for place in range(len(self._above)):
            grouped[self.root_of(place)].append(place)
        return list(grouped.values())
