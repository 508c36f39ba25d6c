"""Cuts a text into tokens, so that the words of two highlights can be compared."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import lru_cache

_TOKEN = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")


@lru_cache(maxsize=2048)
def tokens(text: str) -> tuple[tuple[int, int], ...]:
    """The tokens as half-open ranges of code points."""
    return tuple(match.span() for match in _TOKEN.finditer(text))


def covered_tokens(text: str, spans: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """The places, among the tokens, of those that a span touches."""
    found: set[int] = set()
    places = tokens(text)
    for start, end in spans:
        first = bisect_right(places, start, key=lambda place: place[1])
        last = bisect_left(places, end, key=lambda place: place[0])
        found.update(range(first, last))
    return tuple(sorted(found))
