"""Suggested highlights in the size that annotators of the study mark: fragments joined, few, and none too long.

A model that marks word by word may leave thirty crumbs in a post. Whoever took them over would have to clear them away.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotation.release.rows import FinalLabel, ReleaseRow

# Fragments are joined over so many words, never over the end of a sentence or a line.
WORDS_BETWEEN = 3
# With fewer marked items, a code has what all codes together have.
LEAST_ITEMS = 5
_PAUSE = re.compile(r"[.!?…。！？\n\r]")  # noqa: RUF001


@dataclass(frozen=True, slots=True)
class HighlightLimits:
    """At most `number` highlights of a code in an item, of `shortest` to `longest` characters."""

    number: int
    shortest: int
    longest: int


@dataclass(frozen=True, slots=True)
class Mark:
    """The words text[start:end], and how sure the model is of them."""

    start: int
    end: int
    score: float

    @property
    def length(self) -> int:
        return self.end - self.start


# Where nobody has marked any words yet: a few, none longer than two sentences.
WITHOUT_RELEASE = HighlightLimits(number=3, shortest=1, longest=240)


def limits_by_code(rows: Iterable[ReleaseRow]) -> dict[str, HighlightLimits]:
    """What annotators mark for each code: nine in ten of them mark no more and nothing longer, nor anything shorter.

    By each annotator's own words, or the release's where it has nobody's. Codes that were hardly ever marked
    have what all codes together have.
    """
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    lengths: defaultdict[str, list[int]] = defaultdict(list)
    codes: set[str] = set()
    for row in rows:
        for label in row.labels:
            codes.add(label.code)
            for marked in _marked_lengths(label):
                numbers[label.code].append(len(marked))
                lengths[label.code].extend(marked)
    pooled = _limits(
        [number for each in numbers.values() for number in each],
        [length for each in lengths.values() for length in each],
    )
    return {
        code: _limits(numbers[code], lengths[code]) if len(numbers[code]) >= LEAST_ITEMS else pooled
        for code in sorted(codes)
    }


def _marked_lengths(label: FinalLabel) -> list[list[int]]:
    """The lengths of what was marked, by annotator."""
    own = [[words.end - words.start for words in vote.words] for vote in label.votes if vote.words]
    snippets = [snippet.end - snippet.start for snippet in label.evidence.snippets]
    return own or ([snippets] if snippets else [])


def _limits(numbers: Sequence[int], lengths: Sequence[int]) -> HighlightLimits:
    if not numbers:
        return WITHOUT_RELEASE
    return HighlightLimits(_share(numbers, 0.9), _share(lengths, 0.1), _share(lengths, 0.9))


def _share(numbers: Sequence[int], share: float) -> int:
    """The smallest number that this share of them does not exceed.

    >>> _share([1, 1, 2, 9], 0.75), _share([5], 0.1)
    (2, 5)
    """
    ordered = sorted(numbers)
    return next(number for at, number in enumerate(ordered, 1) if at >= share * len(ordered))


def sized_marks(text: str, marks: Iterable[Mark], limits: HighlightLimits) -> tuple[Mark, ...]:
    """Joined, cut and chosen, in the order of the text. Where there were some, at least one is left.

    >>> crumbs = [Mark(0, 1, 0.5), Mark(2, 6, 0.9), Mark(10, 14, 0.7), Mark(26, 30, 0.2)]
    >>> sized_marks("I feel so lost today, and you then?", crumbs, HighlightLimits(1, 4, 20))
    (Mark(start=0, end=14, score=0.9),)
    """
    joined: list[Mark] = []
    for mark in sorted(marks, key=lambda each: (each.start, each.end)):
        last = joined[-1] if joined else None
        if last is not None and _belong_together(text, last, mark, limits.longest):
            joined[-1] = Mark(last.start, max(last.end, mark.end), max(last.score, mark.score))
        else:
            joined.append(mark)
    cut = [_cut(text, mark, limits.longest) for mark in joined]
    best = sorted(
        cut, key=lambda each: (each.length < limits.shortest, -each.score, -each.length, each.start)
    )
    return tuple(sorted(best[: limits.number], key=lambda each: each.start))


def _belong_together(text: str, first: Mark, second: Mark, longest: int) -> bool:
    """What overlaps always does."""
    if second.start < first.end:
        return True
    between = text[first.end : second.start]
    is_near = len(between.split()) <= WORDS_BETWEEN
    is_one_sentence = not _PAUSE.search(text[first.end - 1 : second.start])
    return is_near and is_one_sentence and second.end - first.start <= longest


def _cut(text: str, mark: Mark, longest: int) -> Mark:
    """After a whole word, if there is one that fits."""
    if mark.length <= longest:
        return mark
    words = text[mark.start : mark.start + longest + 1]
    fitting = words.rsplit(None, 1)[0].rstrip() if len(words.split()) > 1 else words[:longest]
    return Mark(mark.start, mark.start + len(fitting), mark.score)
