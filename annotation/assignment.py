"""Who gets which items: fair, random, and the same for a seed on every machine.

Nothing depends on the order in which items or annotators are listed, only on their names and the seed: each name's
place comes from a keyed hash, as in the drawing of samples.
"""

import hashlib
import heapq
from collections.abc import Mapping, Sequence

from corpus.sampling.encoding import netstrings
from corpus.sampling.errors import InvalidSeed


class DealingError(ValueError):
    """Any refusal to choose or deal items."""


class TooFewItems(DealingError):
    def __init__(self, available: int, requested: int) -> None:
        self.available, self.requested = available, requested
        super().__init__(f"there are {available} items, fewer than the {requested} asked for; ask for fewer")


class NegativeNumber(DealingError):
    def __init__(self, requested: int) -> None:
        super().__init__(f"{requested} items cannot be chosen; ask for 0 or more")


class NobodyToDealTo(DealingError):
    def __init__(self) -> None:
        super().__init__("there is nobody to deal items to; name at least one annotator")


class TooFewAnnotators(DealingError):
    def __init__(self, there: int, wanted: int) -> None:
        super().__init__(f"{wanted} different people cannot be found among {there}; name more annotators")


class ListedTwice(DealingError):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name!r} is listed twice; list every item and every annotator once")


def choose_items(candidates: Sequence[str], n: int, seed: int) -> tuple[str, ...]:
    """A simple random sample, in random order; with the same seed, a larger n only adds items at the end.

    >>> choose_items(["p1", "p2", "p3", "p4"], 2, seed=7)
    ('p3', 'p1')
    """
    if n < 0:
        raise NegativeNumber(n)
    if n > len(candidates):
        raise TooFewItems(len(candidates), n)
    return tuple(_shuffle(candidates, seed, "choose")[:n])


def deal_shares(items: Sequence[str], annotators: Sequence[str], seed: int) -> dict[str, tuple[str, ...]]:
    """Every item to one annotator; chance decides who gets one more where the items do not divide evenly.

    >>> deal_shares(["p1", "p2", "p3"], ["amal", "bea"], seed=7)
    {'amal': ('p1',), 'bea': ('p3', 'p2')}
    """
    _refuse_doubles(annotators)
    return deal_onto(items, dict.fromkeys(annotators, 0), seed)


def deal_seats(seats: Mapping[str, int], annotators: Sequence[str], seed: int) -> dict[str, tuple[str, ...]]:
    """Each item to as many different annotators as it has seats; shares end as even as can be.

    Chance pairs annotators anew for each item, so that everybody meets everybody.

    >>> deal_seats({"p1": 2, "p2": 1, "p3": 2}, ["amal", "bea", "chen"], seed=7)
    {'amal': ('p3',), 'bea': ('p3', 'p1'), 'chen': ('p1', 'p2')}
    """
    _refuse_doubles(annotators)
    most = max(seats.values(), default=1)
    if len(annotators) < most:
        raise TooFewAnnotators(len(annotators), most)
    dealt: dict[str, list[str]] = {annotator: [] for annotator in annotators}
    for item in _shuffle(list(seats), seed, "deal"):
        loads = {annotator: len(share) for annotator, share in dealt.items()}
        for annotator in least_loaded(item, loads, seed)[: seats[item]]:
            dealt[annotator].append(item)
    return {annotator: tuple(share) for annotator, share in dealt.items()}


def least_loaded(item: str, loads: Mapping[str, int], seed: int) -> tuple[str, ...]:
    """Who would get this item first, second, ...; among those with as much to do, chance decides by item.

    >>> least_loaded("p1", {"amal": 2, "bea": 0, "chen": 2}, seed=7)
    ('bea', 'chen', 'amal')
    """
    key = _key(seed, "seat", item)
    return tuple(sorted(loads, key=lambda name: (loads[name], _number(key, name), name)))


def deal_to_all(items: Sequence[str], annotators: Sequence[str], seed: int) -> dict[str, tuple[str, ...]]:
    """All items to everybody, each in an order of their own, so that tiredness does not hit the same items.

    >>> deal_to_all(["p1", "p2", "p3"], ["amal", "bea"], seed=7)
    {'amal': ('p2', 'p1', 'p3'), 'bea': ('p3', 'p2', 'p1')}
    """
    _refuse_doubles(annotators)
    if not annotators:
        raise NobodyToDealTo
    return {annotator: tuple(_shuffle(items, seed, "order", annotator)) for annotator in annotators}


def deal_onto(items: Sequence[str], loads: Mapping[str, int], seed: int) -> dict[str, tuple[str, ...]]:
    """Each item to whoever has the least by then, so that the loads end as even as these items can make them.

    Only the new items are returned.

    >>> deal_onto(["p1", "p2", "p3"], {"amal": 5, "bea": 3}, seed=7)
    {'amal': (), 'bea': ('p3', 'p1', 'p2')}
    """
    if not loads:
        raise NobodyToDealTo
    dealt: dict[str, list[str]] = {annotator: [] for annotator in loads}
    turns = _shuffle(list(loads), seed, "turns")
    waiting = [(loads[annotator], turn, annotator) for turn, annotator in enumerate(turns)]
    heapq.heapify(waiting)
    for item in _shuffle(items, seed, "deal"):
        load, turn, annotator = waiting[0]
        dealt[annotator].append(item)
        heapq.heapreplace(waiting, (load + 1, turn, annotator))
    return {annotator: tuple(share) for annotator, share in dealt.items()}


def falls_within(name: str, share: float, seed: int, purpose: str) -> bool:
    """Whether chance takes this name into a share of all; whatever else is listed, and a larger share only adds.

    >>> [name for name in ("p1", "p2", "p3", "p4") if falls_within(name, 0.5, seed=4, purpose="second")]
    ['p1', 'p4']
    """
    number = int.from_bytes(_number(_key(seed, purpose), name))
    return number < share * 2**128


def _shuffle(names: Sequence[str], seed: int, *purpose: str) -> list[str]:
    _refuse_doubles(names)
    key = _key(seed, *purpose)
    return sorted(names, key=lambda name: (_number(key, name), name))


def _key(seed: int, *purpose: str) -> bytes:
    if not 0 <= seed < 2**63:
        raise InvalidSeed(seed)
    return hashlib.blake2b(netstrings("attune-deal-1", str(seed), *purpose), digest_size=32).digest()


def _number(key: bytes, name: str) -> bytes:
    return hashlib.blake2b(netstrings(name), key=key, digest_size=16).digest()


def _refuse_doubles(names: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ListedTwice(name)
        seen.add(name)
