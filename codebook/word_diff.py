"""Shows what changed inside a text, word by word, ready to be rendered as deletions and insertions."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

# A word keeps the space behind it: tokens that are all alike would make the comparison quadratic.
_WORD = re.compile(r"\s+|\w+\s*|[^\w\s]\s*")
_SENTENCE = re.compile(r"[^.!?]*[.!?]*\s*")
_MOST_PAIRS = 250_000


class SegmentKind(StrEnum):
    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Segment:
    kind: SegmentKind
    text: str


def _tokens(old: str, new: str) -> tuple[list[str], list[str]]:
    """Words, or sentences where there are too many words to compare each with each, or the whole texts."""
    for token in (_WORD, _SENTENCE):
        before, after = token.findall(old), token.findall(new)
        if len(before) * len(after) <= _MOST_PAIRS:
            return before, after
    return [old], [new]


def word_segments(old: str, new: str) -> tuple[Segment, ...]:
    """Same and removed segments spell `old`; same and added segments spell `new`.

    >>> [f"{segment.kind}:{segment.text}" for segment in word_segments("a short text", "a long text")]
    ['same:a ', 'removed:short ', 'added:long ', 'same:text']
    """
    before, after = _tokens(old, new)
    segments: list[Segment] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for operation, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        removed, added = "".join(before[old_from:old_to]), "".join(after[new_from:new_to])
        if operation == "equal":
            segments.append(Segment(SegmentKind.SAME, removed))
            continue
        if removed:
            segments.append(Segment(SegmentKind.REMOVED, removed))
        if added:
            segments.append(Segment(SegmentKind.ADDED, added))
    return tuple(segments)
