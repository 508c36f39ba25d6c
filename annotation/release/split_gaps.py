"""Exchanges posts between parts where dealing one by one left a part without a theme that could be there."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from annotation.release.rows import SplitPart

Post: TypeAlias = tuple[str, ...]
ENOUGH_FOR_ALL = len(SplitPart)


def fill_gaps(
    parts: dict[Post, SplitPart], codes_of: Mapping[Post, frozenset[str]], order: Sequence[Post]
) -> dict[Post, SplitPart]:
    """Every exchange leaves fewer gaps than before and all sizes as they were, so this comes to an end."""
    gaps = _Gaps(parts, codes_of, order)
    while exchange := next(gaps.useful_exchanges(), None):
        gaps.exchange(*exchange)
    return gaps.parts


@dataclass
class _Gaps:
    parts: dict[Post, SplitPart]
    codes_of: Mapping[Post, frozenset[str]]
    order: Sequence[Post]

    def __post_init__(self) -> None:
        self.count = Counter(
            (code, part) for post, part in self.parts.items() for code in self.codes_of[post]
        )
        totals = Counter(code for codes in self.codes_of.values() for code in codes)
        self.frequent = sorted(code for code, n in totals.items() if n >= ENOUGH_FOR_ALL)
        self.used = sorted(set(self.parts.values()))

    def useful_exchanges(self) -> Iterator[tuple[Post, Post]]:
        for code in self.frequent:
            for part in self.used:
                if self.count[code, part] == 0:
                    yield from self._exchanges(code, part)

    def _exchanges(self, code: str, part: SplitPart) -> Iterator[tuple[Post, Post]]:
        there = [post for post in self.order if self.parts[post] is part]
        for giver in self.order:
            if code in self.codes_of[giver] and self.count[code, self.parts[giver]] > 1:
                yield from ((giver, taker) for taker in there if self._gain(giver, taker) > 0)

    def _gain(self, post: Post, other: Post) -> int:
        """How many gaps fewer there are after the exchange."""
        gain = 0
        here, there = self.parts[post], self.parts[other]
        for code in self.codes_of[post] ^ self.codes_of[other]:
            if code in self.frequent:
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
