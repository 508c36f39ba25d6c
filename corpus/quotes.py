"""Finds quoted evidence again in the text it came from."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from corpus.word_borders import letters_cut_off

Match = Literal["exact", "loose", "cut"]
_SPACE = re.compile(r"\s+")
# One wrong character for so many of a quote; shorter quotes have to be right.
CHARACTERS_PER_EDIT = 10


@dataclass(frozen=True)
class FoundQuote:
    """Start and end count code points of the text; end is exclusive. One that is cut begins or ends within a word."""

    start: int
    end: int
    match: Match


def find_quote(text: str, quote: str) -> FoundQuote | None:
    """Looks for the quote as it is, then without regard to white space; in either way for whole words.

    A long quote may lack letters of its first and last word, as where somebody marked it in haste; a short one would be
    found within words that have nothing to do with it.

    >>> find_quote("so  sorry to hear that", "so sorry")
    FoundQuote(start=0, end=9, match='loose')
    >>> find_quote("The weather, he said", "he")
    FoundQuote(start=13, end=15, match='exact')
    >>> find_quote("The weather", "he")
    >>> find_quote("I am sorry to hear that", "orry to hear that")
    FoundQuote(start=6, end=23, match='cut')
    """
    wanted = quote.strip()
    if not wanted:
        return None
    exact, loose = occurrences(text, wanted), _loose(text, _SPACE.sub("", wanted))
    ways: tuple[tuple[Match, Iterator[tuple[int, int]]], ...] = (("exact", exact), ("loose", loose))
    allowed = len(wanted) // CHARACTERS_PER_EDIT
    cut = []
    for match, places in ways:
        for start, end in places:
            n_cut = letters_cut_off(text, start, end, most=allowed)
            if not n_cut:
                return FoundQuote(start, end, match)
            if n_cut <= allowed:
                cut.append((n_cut, start, end))
    if not cut:
        return None
    _, start, end = min(cut)
    return FoundQuote(start, end, "cut")


def occurrences(text: str, wanted: str) -> Iterator[tuple[int, int]]:
    """Everywhere, also where they overlap.

    >>> list(occurrences("ababa", "aba"))
    [(0, 3), (2, 5)]
    """
    start = text.find(wanted)
    while start >= 0:
        yield start, start + len(wanted)
        start = text.find(wanted, start + 1)


def _loose(text: str, bare_quote: str) -> Iterator[tuple[int, int]]:
    """Compares the two without any white space, then maps the places back to the text."""
    places = [index for index, character in enumerate(text) if not character.isspace()]
    bare_text = "".join(text[index] for index in places)
    for start, end in occurrences(bare_text, bare_quote):
        yield places[start], places[end - 1] + 1
