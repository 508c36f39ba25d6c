"""Where somebody said different things of texts that are the same, or of one item at two times."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from annotation.label_errors.near_identical import NearTexts

MOST_COMPARED = 100


@dataclass(frozen=True, slots=True)
class Said:
    """What an annotator said of an item under a code; without an annotator it is the final label."""

    code_id: str
    item_id: str
    annotator: str | None
    value: int


@dataclass(frozen=True, slots=True)
class Inconsistency:
    """`items[0]` has `values[0]`, which is the odd one of its group; `items[1]` is the most similar with another."""

    code_id: str
    annotator: str | None
    items: tuple[str, str]
    values: tuple[int, int]
    similarity: float


def inconsistencies(near: NearTexts, said: Iterable[Said]) -> tuple[Inconsistency, ...]:
    """Different values of one code by one annotator on near-identical texts, the most similar first.

    Give the texts of one part of the items (post or reply) and what was said under the codes of that part. Each item
    that departs from the commonest value of its group (the smallest of several) is named once, so that a hundred equal
    texts with one slip give one line.

    >>> from annotation.label_errors.near_identical import near_identical
    >>> near = near_identical((item, "this is the very same text") for item in "abc")
    >>> values = {"a": 1, "b": 0, "c": 1}
    >>> for found in inconsistencies(near, [Said("warmth", item, "Ada", value) for item, value in values.items()]):
    ...     print(found.items, found.values, found.similarity)
    ('b', 'a') (0, 1) 1.0
    """
    values: dict[tuple[str, str | None], dict[str, int]] = defaultdict(dict)
    for one in said:
        values[one.code_id, one.annotator][one.item_id] = one.value
    found = [
        inconsistency
        for (code_id, annotator), by_item in values.items()
        for group in near.groups
        for inconsistency in _in_group(near, code_id, annotator, group, by_item)
    ]
    return tuple(sorted(found, key=_order))


def self_contradictions(first: Iterable[Said], again: Iterable[Said]) -> tuple[Inconsistency, ...]:
    """What annotators said of an item when they were asked again and had said differently before.

    >>> self_contradictions([Said("warmth", "a", "Ada", 1)], [Said("warmth", "a", "Ada", 0)])[0].values
    (1, 0)
    """
    before = {(one.code_id, one.item_id, one.annotator): one.value for one in first}
    found = [
        Inconsistency(one.code_id, one.annotator, (one.item_id, one.item_id), (value, one.value), 1.0)
        for one in again
        if (value := before.get((one.code_id, one.item_id, one.annotator), one.value)) != one.value
    ]
    return tuple(sorted(found, key=_order))


def _in_group(
    near: NearTexts, code_id: str, annotator: str | None, group: tuple[str, ...], values: Mapping[str, int]
) -> Iterator[Inconsistency]:
    judged = [item for item in group if item in values]
    counted = Counter(values[item] for item in judged)
    if len(counted) < 2:
        return
    usual = min(counted, key=lambda value: (-counted[value], value))
    first = _first_of_each_text(near, judged, values)
    for item in judged:
        if values[item] != usual and (other := _most_similar(near, item, values[item], first)):
            yield Inconsistency(
                code_id, annotator, (item, other[0]), (values[item], values[other[0]]), other[1]
            )


_ByValue = Mapping[int, Mapping[int, str]]


def _first_of_each_text(near: NearTexts, judged: list[str], values: Mapping[str, int]) -> _ByValue:
    """By value and place, the first item by name: the same words need not be compared twice."""
    found: dict[int, dict[int, str]] = defaultdict(dict)
    for item in judged:
        found[values[item]].setdefault(near.place[item], item)
    return found


def _most_similar(near: NearTexts, item: str, value: int, first: _ByValue) -> tuple[str, float] | None:
    """The most similar item that has another value, the first by name of several.

    With each other value it is compared with the same words and with so many others at most: in a group of thousands,
    which a template makes, every one would be compared with every other.
    """
    others: set[str] = set()
    for other_value, by_place in first.items():
        if other_value != value:
            same = by_place.get(near.place[item])
            others.update([same] if same else islice(by_place.values(), MOST_COMPARED))
    similar = [
        (other, similarity)
        for other in sorted(others)
        if (similarity := near.similarity(item, other)) is not None
    ]
    return max(similar, key=lambda pair: pair[1], default=None)


def _order(found: Inconsistency) -> tuple[float, str, str, tuple[str, str]]:
    return -found.similarity, found.code_id, found.annotator or "", found.items
