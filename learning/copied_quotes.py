"""Finds words again that a model says it copied: models change a letter, a mark or a capital, and invent quotes too."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from corpus.quotes import CHARACTERS_PER_EDIT, find_quote, occurrences
from corpus.word_borders import is_border

_SINGLE = '‘’‚‛`´ʼ′‹›“”„‟″«»"'  # noqa: RUF001
_DASHES = "‐‑‒–—―−"  # noqa: RUF001
_ALIKE = {ord(character): "'" for character in _SINGLE} | {ord(character): "-" for character in _DASHES}


class Copy(StrEnum):
    """How much of a quote is as it stands in the text."""

    EXACT = "exact"
    SPACING = "spacing"
    FORM = "form"
    EDITED = "edited"


@dataclass(frozen=True, slots=True)
class CopiedQuote:
    """Start and end count code points of the text; end is exclusive."""

    start: int
    end: int
    copy: Copy


@dataclass(frozen=True, slots=True)
class MatchedQuotes:
    """`places` in the order of the text, without overlaps; `inexact` were found but differ, `invented` were not."""

    places: tuple[tuple[int, int], ...]
    inexact: int
    invented: int


def matched_quotes(text: str, quotes: Iterable[str]) -> MatchedQuotes:
    """
    >>> matched_quotes("I am so sorry. Call me!", ["Im so sory", "call me", "and I love you"])
    MatchedQuotes(places=((15, 22),), inexact=1, invented=2)
    >>> matched_quotes("I am so sorry. Call me!", ["I am so sory.", "I am so"])
    MatchedQuotes(places=((0, 14),), inexact=1, invented=0)
    """
    found = [find_copied_quote(text, quote) for quote in quotes]
    known = [each for each in found if each is not None]
    inexact = sum(each.copy is not Copy.EXACT for each in known)
    places = _without_overlaps((each.start, each.end) for each in known)
    return MatchedQuotes(places, inexact, len(found) - len(known))


def _without_overlaps(places: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(set(places)):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def find_copied_quote(text: str, quote: str) -> CopiedQuote | None:
    """As it is, then without regard to white space, then to case and marks, then with a few characters edited; always
    whole words, so that “he” is not found in “The”.

    >>> find_copied_quote("It’s SO hard, I know", '"it\\'s so hard"')
    CopiedQuote(start=0, end=12, copy=<Copy.FORM: 'form'>)
    """
    same = find_quote(text, quote)
    if same is not None and same.match != "cut":
        return CopiedQuote(same.start, same.end, Copy.EXACT if same.match == "exact" else Copy.SPACING)
    folded, places = _fold(text)
    wanted, _ = _fold(quote)
    wanted = wanted.strip("'") or wanted
    if not wanted:
        return None
    # An é is two folded characters; a quote that lost the accent ends after the first, and so does the word
    starts = np.array([*(is_border(text, at) for at in places), True])
    ends = np.array([True, *(is_border(text, at + 1) for at in places)])
    for start, end in occurrences(folded, wanted):
        if starts[start] and ends[end]:
            return CopiedQuote(places[start], places[end - 1] + 1, Copy.FORM)
    near = _nearest(folded, wanted, starts, ends)
    return None if near is None else CopiedQuote(places[near[0]], places[near[1] - 1] + 1, Copy.EDITED)


def _fold(text: str) -> tuple[str, list[int]]:
    """Without white space, in one case, with one kind of quote mark and of dash; and where each character was."""
    pieces = [unicodedata.normalize("NFKD", each.translate(_ALIKE).casefold()) for each in text]
    pieces = ["".join(piece.split()) for piece in pieces]
    places = chain.from_iterable([at] * len(piece) for at, piece in enumerate(pieces))
    return "".join(pieces), list(places)


def _nearest(
    text: str, quote: str, starts: NDArray[np.bool_], ends: NDArray[np.bool_]
) -> tuple[int, int] | None:
    """The stretch of whole words that the fewest edits turn into the quote, if they are few.

    After Sellers, “The theory and computation of evolutionary distances” (Journal of Algorithms, 1980): a stretch may
    begin where a word does, so there the first row costs nothing; from the end that was found, the same backwards finds
    the start.
    """
    allowed = len(quote) // CHARACTERS_PER_EDIT
    if not allowed or not text:
        return None
    far = len(text) + len(quote)
    forwards = _edits(text, quote, _running_minimum(np.where(starts, 0, far)))
    end = int(np.where(ends, forwards, far).argmin())
    if forwards[end] > allowed or not end:
        return None
    backwards = _edits(text[:end][::-1], quote[::-1], np.arange(end + 1))
    length = int(np.where(starts[end::-1], backwards, far).argmin())
    return (end - length, end) if length else None


def _edits(text: str, quote: str, first: NDArray[np.int64]) -> NDArray[np.int64]:
    """The edits between the whole quote and the text up to each place; a row for each character of the quote."""
    letters = np.array([ord(each) for each in text])
    row = first
    for letter in quote:
        below = row + 1
        below[1:] = np.minimum(below[1:], row[:-1] + (letters != ord(letter)))
        row = _running_minimum(below)
    return row


def _running_minimum(row: NDArray[np.int64]) -> NDArray[np.int64]:
    """What is missing in the quote costs one a place: a running minimum, with the slope taken out."""
    steps = np.arange(len(row))
    return np.asarray(np.minimum.accumulate(row - steps) + steps)
