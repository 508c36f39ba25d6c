"""Cuts an item's texts into the pieces that the page of adjudication paints and the words that its caret walks on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from annotation.answers import Span
from annotation.sentences import sentences
from annotation.tokens import tokens
from codebook.schema import Part

Place = tuple[int, int]
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that every highlight covers wholly or not at all; `lanes` are whose."""

    start: int
    end: int
    text: str
    lanes: tuple[int, ...]


def words(text: str) -> list[Place]:
    """Stops for a caret: signs without a space belong to the word beside them, but are not part of its snippet.

    >>> text = "I don't know… 我很 :("
    >>> [text[start:end] for start, end in words(text)]
    ['I', "don't", 'know', '我', '很', ':(']
    """
    return [_core(text, group) for group in _glued(text)]


def _glued(text: str) -> list[list[Place]]:
    groups: list[list[Place]] = []
    for place in tokens(text):
        before = groups[-1][-1] if groups else (0, -1)
        # Two letters side by side are two words of a script without spaces
        touches = before[1] == place[0]
        if touches and not (_WORD.match(text, before[1] - 1) and _WORD.match(text, place[0])):
            groups[-1].append(place)
        else:
            groups.append([place])
    return groups


def _core(text: str, group: list[Place]) -> Place:
    lettered = [place for place in group if _WORD.match(text, place[0])] or group
    return lettered[0][0], lettered[-1][1]


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
