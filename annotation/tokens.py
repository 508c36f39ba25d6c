"""Where the words of a text are, decided once and for all so that highlighted evidence can be compared.

Rules, not a model: the same text has the same tokens on every machine and in every release.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from corpus.word_borders import UNSPACED

_TOKEN = re.compile(f"[{UNSPACED}]|[^\\W{UNSPACED}]+|[^\\w\\s]")


def tokens(text: str) -> tuple[tuple[int, int], ...]:
    """The tokens as half-open ranges of code points: words, and every other visible character alone.

    Every character that is not white space is in exactly one token.

    >>> text = "I don't know… 我很难过"
    >>> [text[start:end] for start, end in tokens(text)]
    ['I', 'don', "'", 't', 'know', '…', '我', '很', '难', '过']
    """
    return tuple(found.span() for found in _TOKEN.finditer(text))


def covered_tokens(text: str, spans: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """The places of the tokens of which a span holds at least one character, ascending.

    >>> covered_tokens("I feel with you", [(4, 9), (0, 0)])
    (1, 2)
    """
    found = tokens(text)
    starts, ends = [start for start, _ in found], [end for _, end in found]
    places: set[int] = set()
    for start, end in spans:
        if start < end:
            places.update(range(bisect_right(ends, start), bisect_left(starts, end)))
    return tuple(sorted(places))
