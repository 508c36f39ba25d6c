"""Where the words of a text are, decided once and for all so that highlighted evidence can be compared.

Rules, not a model: the same text has the same tokens on every machine and in every release.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable

# Scripts that put no space between words, where a run of letters would be a whole sentence.
_UNSPACED = (
    "\u0e00-\u0e7f"  # Thai
    "\u0e80-\u0eff"  # Lao
    "\u1000-\u109f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u3040-\u30ff\u31f0-\u31ff"  # Japanese syllables
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Chinese characters
    "\U00020000-\U0003ffff"  # rarer Chinese characters
)
_TOKEN = re.compile(f"[{_UNSPACED}]|[^\\W{_UNSPACED}]+|[^\\w\\s]")


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
