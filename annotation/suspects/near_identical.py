"""Finds texts that say the same in almost the same words, so that what was said of them can be compared."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from annotation.suspects.shingle_overlap import similar_pairs

# A word, or one sign of a script that has no spaces between words.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD = re.compile(f"[{_UNSPACED}]|[^\\W_{_UNSPACED}]+")


@dataclass(frozen=True, slots=True)
class NearTexts:
    """`groups` are items, sorted, that hang together by near-identical texts; `place` has the places of the same
    words for items that share them, and `links` how similar two different places are."""

    groups: tuple[tuple[str, ...], ...]
    place: Mapping[str, int]
    links: Mapping[tuple[int, int], float]

    def similarity(self, item: str, other: str) -> float | None:
        """None where the two are not near: members of a group may be so only by way of others."""
        first, second = sorted((self.place[item], self.place[other]))
        return 1.0 if first == second else self.links.get((first, second))


def near_identical(
    texts: Iterable[tuple[str, str]], *, threshold: float = 0.8, fewest_words: int = 5
) -> NearTexts:
    """Items whose texts have the same words, whatever their case, marks and spaces, or share most of their shingles.

    Similarity is Jaccard's: how many runs of three words both have, divided by how many either has (A. Z. Broder, "On the
    resemblance and containment of documents", 1997), computed exactly. Texts with fewer words than `fewest_words` say
    too little and are left out.

    >>> texts = [("a", "I am so sorry for you!"), ("b", "i am so  sorry for you"), ("c", "Cheer up, all of you")]
    >>> near = near_identical(texts)
    >>> near.groups, near.similarity("a", "b"), near.similarity("a", "c")
    ((('a', 'b'),), 1.0, None)
    """
    by_words: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for item, text in sorted(texts):
        words = words_of(text)
        if len(words) >= fewest_words:
            by_words[words].append(item)
    links = similar_pairs(list(by_words), threshold=threshold)
    place = {item: at for at, items in enumerate(by_words.values()) for item in items}
    return NearTexts(_groups(list(by_words.values()), links), place, links)


def words_of(text: str) -> tuple[str, ...]:
    """
    >>> words_of("Sorry, I didn't… 很好!")
    ('sorry', 'i', 'didn', 't', '很', '好')
    """
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def _groups(members: list[list[str]], links: Mapping[tuple[int, int], float]) -> tuple[tuple[str, ...], ...]:
    """Connected places, by union–find with the smallest place as a group's root."""
    root = list(range(len(members)))

    def root_of(place: int) -> int:
        while root[place] != place:
            root[place] = root[root[place]]
            place = root[place]
        return place

    for first, second in links:
        low, high = sorted((root_of(first), root_of(second)))
        root[high] = low
    grouped: dict[int, list[str]] = defaultdict(list)
    for place, items in enumerate(members):
        grouped[root_of(place)].extend(items)
    return tuple(sorted(tuple(sorted(items)) for items in grouped.values() if len(items) > 1))
