"""Cuts a text where highlights begin and end, so that a page can show what was marked, overlaps and all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from codebook.schema import Code, Codebook


@dataclass(frozen=True, slots=True)
class Highlight:
    """The words text[start:end], counted in code points, marked with a code."""

    start: int
    end: int
    code_id: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of text under the same codes from end to end; without codes it is plain."""

    text: str
    code_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarkedPassage:
    """A stretch of text with the codes that it was highlighted for."""

    text: str
    codes: tuple[Code, ...]


def cut_into_passages(text: str, highlights: Iterable[Highlight]) -> tuple[Passage, ...]:
    """Joined together the passages are the text; codes come in the order in which highlights name them.

    >>> [(p.text, p.code_ids) for p in cut_into_passages("abcdef", [Highlight(1, 4, "x"), Highlight(3, 5, "y")])]
    [('a', ()), ('bc', ('x',)), ('d', ('x', 'y')), ('e', ('y',)), ('f', ())]
    """
    marks = list(highlights)
    edges = {0, len(text)} | {min(place, len(text)) for mark in marks for place in (mark.start, mark.end)}
    cuts = sorted(edges)
    return tuple(Passage(text[start:end], _codes_over(marks, start, end)) for start, end in pairwise(cuts))


def marked_passages(
    text: str, highlights: Iterable[Highlight], codebook: Codebook
) -> tuple[MarkedPassage, ...]:
    """With the codes themselves; one that the codebook does not have is left out."""
    codes = {code.id: code for _, code in codebook.coded_questions()}
    return tuple(
        MarkedPassage(cut.text, tuple(codes[code_id] for code_id in cut.code_ids if code_id in codes))
        for cut in cut_into_passages(text, highlights)
    )


def _codes_over(marks: list[Highlight], start: int, end: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(mark.code_id for mark in marks if mark.start <= start and end <= mark.end))
