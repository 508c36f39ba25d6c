"""Cuts an item's texts into the pieces that the page of adjudication paints and the words that its caret walks on."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from annotation.answers import Span
from annotation.sentences import sentences
from annotation.tokens import tokens
from codebook.schema import Part

Place = tuple[int, int]
_LINKS = frozenset("'’-\u2010\u2011")
_JOINER = "\u200d"
_ATTACHED = frozenset({"Mn", "Mc", "Me", "Cf"})


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that every highlight covers wholly or not at all; `lanes` are whose."""

    start: int
    end: int
    text: str
    lanes: tuple[int, ...]


def words(text: str) -> list[Place]:
    """Stops for a caret: tokens, where "don't" and "self-care" are one and so is a sign of several characters.

    >>> text = "I don't know…so sad😭👍🏽 self-care -我很"
    >>> [text[start:end] for start, end in words(text)]
    ['I', "don't", 'know', '…', 'so', 'sad', '😭', '👍🏽', 'self-care', '-', '我', '很']
    """
    stops: list[Place] = []
    for start, end in tokens(text):
        if stops and stops[-1][1] == start and _goes_on(text, stops[-1][0], start):
            stops[-1] = (stops[-1][0], end)
        else:
            stops.append((start, end))
    return stops


def _goes_on(text: str, start: int, at: int) -> bool:
    """Whether the stop that began at `start` does not end at `at`, where the next token begins."""
    before, after = text[at - 1], text[at]
    base = next((sign for sign in reversed(text[start:at]) if not _is_attached(sign)), "")
    if _is_attached(after) or (before == _JOINER and not after.isalnum()):
        return True
    if after in _LINKS:
        return base.isalnum() and text[at + 1 : at + 2].isalnum()
    if before in _LINKS:
        return at - 1 > start
    if _is_half_flag(before) and _is_half_flag(after):
        return (at - start) % 2 == 1
    # Vowel signs and accents stand between the letters of one word, which without them were one token
    return _is_attached(before) and len(tokens(base + after)) == 1


def _is_attached(sign: str) -> bool:
    """Accents, vowel signs, skin tones and invisible signs: alone they are nothing to select."""
    return unicodedata.category(sign) in _ATTACHED or "\U0001f3fb" <= sign <= "\U0001f3ff"


def _is_half_flag(sign: str) -> bool:
    return "\U0001f1e6" <= sign <= "\U0001f1ff"


def pieces(
    text: str, part: Part, spans_by_lane: Sequence[Iterable[Span]], final: Iterable[Span]
) -> list[Piece]:
    """Joined together the pieces are the text; lanes are counted from 1, the final answer's edges cut too.

    >>> said = [[Span("x", Part.POST, 0, 5)], [Span("x", Part.POST, 3, 8)]]
    >>> [(piece.text, piece.lanes) for piece in pieces("so very sad", Part.POST, said, [])]
    [('so', (1,)), (' ', (1,)), ('ve', (1, 2)), ('ry', (2,)), (' ', (2,)), ('sad', ())]
    """
    lanes = [[(span.start, span.end) for span in spans if span.part is part] for spans in spans_by_lane]
    marked = [place for lane in lanes for place in lane]
    marked += [(span.start, span.end) for span in final if span.part is part]
    # A marked sentence has its final mark too, which need not be the edge of a word
    whole = [(0, len(text)), *words(text), *sentences(text)]
    edges = {min(edge, len(text)) for place in [*whole, *marked] for edge in place}
    return [
        Piece(start, end, text[start:end], _lanes_over(lanes, start, end))
        for start, end in pairwise(sorted(edges))
    ]


def _lanes_over(lanes: Sequence[Sequence[Place]], start: int, end: int) -> tuple[int, ...]:
    return tuple(
        number
        for number, lane in enumerate(lanes, start=1)
        if any(first <= start and end <= last for first, last in lane)
    )
