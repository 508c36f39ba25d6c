"""What is known about an item when a release is made: its answers and decision, under whichever edition."""

from collections.abc import Iterable
from dataclasses import dataclass

from annotation.answers import Answers, ItemText, Span
from annotation.release.rows import DecisionFact, ReleaseItem, Words


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One annotator's answer to the item; `annotator` is a pseudonym, `edition` a hash."""

    annotator: str
    edition: str
    answers: Answers


@dataclass(frozen=True, slots=True)
class GivenDecision:
    edition: str
    answers: Answers
    fact: DecisionFact


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """`text` is what was shown; whether it goes into the files, `item.texts` says."""

    item: ReleaseItem
    text: ItemText
    answers: tuple[GivenAnswer, ...]
    decision: GivenDecision | None


@dataclass(frozen=True, slots=True)
class CodeAnswer:
    """One answer reduced to one code."""

    edition: str
    value: int
    words: tuple[Words, ...]


def code_answers(answers: Answers, edition: str) -> dict[str, CodeAnswer]:
    words: dict[str, list[Words]] = {}
    for span in answers.spans:
        words.setdefault(span.code_id, []).append(_words(span))
    return {
        judgment.code_id: CodeAnswer(edition, judgment.value, tuple(words.get(judgment.code_id, ())))
        for judgment in answers.judgments
    }


def join_words(words: Iterable[Words]) -> tuple[Words, ...]:
    """In order, those that overlap as one; neighbours, such as two sentences, stay two.

    >>> from codebook.schema import Part
    >>> [(w.start, w.end) for w in join_words(Words(Part.POST, *at) for at in [(6, 9), (0, 4), (2, 6)])]
    [(0, 6), (6, 9)]
    """
    joined: list[Words] = []
    for place in sorted(set(words), key=lambda each: (each.part, each.start, each.end)):
        last = joined[-1] if joined else None
        if last is not None and last.part is place.part and place.start < last.end:
            joined[-1] = Words(last.part, last.start, max(last.end, place.end))
        else:
            joined.append(place)
    return tuple(joined)


def _words(span: Span) -> Words:
    return Words(span.part, span.start, span.end)
