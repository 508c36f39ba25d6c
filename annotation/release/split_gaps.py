"""Exchanges posts between parts where dealing one by one left a part without a theme that could be there.

First every exchange that leaves fewer gaps; then, while gaps remain, a few bounded walks that also take exchanges
which gain nothing or lose a little, because a gap may take two or three of them (a tabu search: F. Glover, "Tabu
Search – Part I", ORSA Journal on Computing 1(3), 1989). All sizes stay as they were.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias, TypeVar

from annotation.release.rows import SplitPart

Post: TypeAlias = tuple[str, ...]
Thing = TypeVar("Thing")
Exchange: TypeAlias = tuple[Post, Post]
ENOUGH_FOR_ALL = len(SplitPart)
# Enough to find nearly every gap that can be closed among few posts, and at most about a second among many.
WALKS, STEPS = 4, 80
# Of how many posts on each side a step looks at all exchanges.
LOOKED_AT = 16
# Among how many it looks for posts of the part that lacks a theme.
MET = 400
# For how many steps a post that was moved stays where it is, so that a walk does not go back and forth.
RESTING = 4


def fill_gaps(
    parts: dict[Post, SplitPart], codes_of: Mapping[Post, frozenset[str]], order: Sequence[Post], seed: int
) -> dict[Post, SplitPart]:
    """`order` has the posts that may be moved. The same seed walks alike on every machine."""
    gaps = _Gaps(parts, codes_of, order)
    while exchange := next(gaps.useful_exchanges(), None):
        gaps.exchange(*exchange)
    best, fewest = dict(gaps.parts), len(gaps.open())
    for walk in range(WALKS):
        if not fewest:
            break
        gaps = _Gaps(dict(best), codes_of, order)
        for found in _walk(gaps, Random(f"attune-split-2 {seed} {walk}")):
            if len(gaps.open()) < fewest:
                best, fewest = dict(found), len(gaps.open())
    return best


def _walk(gaps: "_Gaps", chance: Random) -> Iterator[dict[Post, SplitPart]]:
    """The parts after each step, until no gap is left."""
    rests: dict[Post, int] = {}
    for step in range(STEPS):
        open_gaps = gaps.open()
        if not open_gaps:
            return
        exchanges = [
            pair
            for pair in gaps.exchanges_for(*_one(open_gaps, chance), chance)
            if all(rests.get(post, 0) <= step for post in pair)
        ]
        if exchanges:
            gains = [gaps.gain(*pair) for pair in exchanges]
            best = max(gains)
            pair = _one([pair for pair, gain in zip(exchanges, gains, strict=True) if gain == best], chance)
            gaps.exchange(*pair)
            rests |= dict.fromkeys(pair, step + RESTING)
            yield gaps.parts


def _one(things: Sequence[Thing], chance: Random) -> Thing:
    """By `random` alone, whose numbers are the same in every version of Python."""
    return things[int(chance.random() * len(things))]


def _some(posts: Sequence[Post], chance: Random, n: int) -> Sequence[Post]:
    return posts if len(posts) <= n else [_one(posts, chance) for _ in range(n)]


@dataclass
class _Gaps:
    """A gap is a code, found often enough for all parts, that a part has none of."""

    parts: dict[Post, SplitPart]
    codes_of: Mapping[Post, frozenset[str]]
    order: Sequence[Post]

    def __post_init__(self) -> None:
        self.count = Counter(
            (code, part) for post, part in self.parts.items() for code in self.codes_of[post]
        )
        totals = Counter(code for codes in self.codes_of.values() for code in codes)
        self.frequent = sorted(code for code, n in totals.items() if n >= ENOUGH_FOR_ALL)
        self.counted = frozenset(self.frequent)
        self.used = sorted(set(self.parts.values()))
        self.free_with: dict[str, list[Post]] = {code: [] for code in self.frequent}
        for post in self.order:
            for code in self.codes_of[post] & self.counted:
                self.free_with[code].append(post)

    def open(self) -> list[tuple[str, SplitPart]]:
        """Those for which there is a post that may be moved."""
        codes = [code for code in self.frequent if self.free_with[code]]
        return [(code, part) for code in codes for part in self.used if not self.count[code, part]]

    def useful_exchanges(self) -> Iterator[Exchange]:
        for code, part in self.open():
            there = [post for post in self.order if self.parts[post] is part]
            for giver in self.free_with[code]:
                if self.count[code, self.parts[giver]] > 1:
                    yield from ((giver, taker) for taker in there if self.gain(giver, taker) > 0)

    def exchanges_for(self, code: str, part: SplitPart, chance: Random) -> list[Exchange]:
        """Some of those that bring the code into the part, whatever they open elsewhere."""
        near = _some(self.order, chance, MET)
        givers = _some(self.free_with[code], chance, LOOKED_AT)
        takers = _some([post for post in near if self.parts[post] is part], chance, LOOKED_AT)
        return [(giver, taker) for giver in givers for taker in takers]

    def gain(self, post: Post, other: Post) -> int:
        """How many gaps fewer there are after the exchange."""
        gain = 0
        here, there = self.parts[post], self.parts[other]
        for code in (self.codes_of[post] ^ self.codes_of[other]) & self.counted:
            losing, winning = (here, there) if code in self.codes_of[post] else (there, here)
            gain += (self.count[code, winning] == 0) - (self.count[code, losing] == 1)
        return gain

    def exchange(self, post: Post, other: Post) -> None:
        here, there = self.parts[post], self.parts[other]
        for moved, source, target in ((post, here, there), (other, there, here)):
            self.parts[moved] = target
            for code in self.codes_of[moved]:
                self.count[code, source] -= 1
                self.count[code, target] += 1
