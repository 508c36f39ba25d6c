"""Finds quoted evidence again in the text it came from."""

import re
from dataclasses import dataclass
from typing import Literal

Match = Literal["exact", "loose"]
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class FoundQuote:
    """Start and end count code points of the text; end is exclusive."""

    start: int
    end: int
    match: Match


def find_quote(text: str, quote: str) -> FoundQuote | None:
    """Looks for the quote as it is, then without regard to white space.

    >>> find_quote("so  sorry to hear that", "so sorry")
    FoundQuote(start=0, end=9, match='loose')
    """
    wanted = quote.strip()
    if not wanted:
        return None
    start = text.find(wanted)
    if start >= 0:
        return FoundQuote(start, start + len(wanted), "exact")
    return _find_loosely(text, wanted)


def _find_loosely(text: str, wanted: str) -> FoundQuote | None:
    """Compares the two without any white space, then maps the place back to the text."""
    places = [index for index, character in enumerate(text) if not character.isspace()]
    bare_text = "".join(text[index] for index in places)
    bare_quote = _SPACE.sub("", wanted)
    start = bare_text.find(bare_quote)
    if start < 0:
        return None
    return FoundQuote(places[start], places[start + len(bare_quote) - 1] + 1, "loose")
