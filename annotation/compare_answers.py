"""Puts several annotators' answers to one item side by side: where they differ, and what most of them say."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from annotation.agreement.evidence_overlap import overlap
from annotation.answers import ItemText, Span, shown_codes
from annotation.consensus.spans import merge_spans
from annotation.consensus.values import SpanRule
from annotation.sentences import sentences
from annotation.tokens import covered_tokens
from codebook.schema import AnswerKind, Codebook, Question

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class OneSide:
    """What one annotator says: values by code, and the words behind them."""

    values: Mapping[str, int]
    spans: tuple[Span, ...]

    def spans_of(self, code_id: str) -> tuple[Span, ...]:
        return tuple(span for span in self.spans if span.code_id == code_id)

    def places_of(self, code_id: str) -> tuple[Place, ...]:
        return tuple((span.start, span.end) for span in self.spans if span.code_id == code_id)


def disputed_codes(sides: Sequence[OneSide], code_ids: Iterable[str]) -> tuple[str, ...]:
    """The codes, of these, that not all who answered them answered alike."""
    return tuple(
        code_id
        for code_id in code_ids
        if len({side.values[code_id] for side in sides if code_id in side.values}) > 1
    )


def evidence_disputed(
    text: str, code_id: str, question: Question, sides: Sequence[OneSide], threshold: float
) -> bool:
    """Whether two who found the code point to words whose token F1 is below the threshold."""
    return evidence_match(text, code_id, question, sides) < threshold


def evidence_match(text: str, code_id: str, question: Question, sides: Sequence[OneSide]) -> float:
    """The lowest token F1 between the words of any two who found the code; 1 if there are no two.

    An annotator who highlighted nothing, where that is allowed, points to no other words.
    """
    places = [
        side.places_of(code_id) for side in sides if side.values.get(code_id) in question.present_values
    ]
    distinct = {frozenset(one) for one in places if one}
    return min((token_f1(text, one, other) for one, other in combinations(distinct, 2)), default=1.0)


def token_f1(text: str, one: Iterable[Place], other: Iterable[Place]) -> float:
    """How much the words of two highlights are the same; two that cover nothing do not differ.

    >>> token_f1("so very sad today", [(0, 11)], [(3, 17)])
    0.6666666666666666
    """
    found = overlap(frozenset(covered_tokens(text, one)), frozenset(covered_tokens(text, other)))
    return found[0] if found else 1.0


@dataclass(frozen=True, slots=True)
class MajoritySide:
    """What more than half say; codes on which there is no such answer are in `open_codes`."""

    side: OneSide
    open_codes: tuple[str, ...]


def majority(codebook: Codebook, item: ItemText, sides: Sequence[OneSide]) -> MajoritySide:
    """Code by code: the value of more than half of those who answered, with the words of more than half of those.

    With a tie nothing is said. Words are counted token by token, marked sentences one by one.
    """
    values: dict[str, int] = {}
    spans: list[Span] = []
    left: list[str] = []
    for question, code in shown_codes(codebook, item):
        value = _most(side.values[code.id] for side in sides if code.id in side.values)
        agreeing = [side for side in sides if value is not None and side.values.get(code.id) == value]
        found = _common_spans(item, question, code.id, agreeing)
        if value is None or (question.answer is AnswerKind.SENTENCES and value != int(bool(found))):
            left.append(code.id)
            continue
        values[code.id] = value
        spans.extend(found)
    return MajoritySide(OneSide(values, tuple(spans)), tuple(left))


def _most(said: Iterable[int]) -> int | None:
    """
    >>> _most([1, 1, 0]), _most([1, 0]), _most([2, 1, 0]), _most([])
    (1, None, None, None)
    """
    counts = Counter(said)
    value, times = counts.most_common(1)[0] if counts else (0, 0)
    return value if 2 * times > counts.total() else None


def _common_spans(
    item: ItemText, question: Question, code_id: str, agreeing: Sequence[OneSide]
) -> list[Span]:
    text = item.text_of(question.part) or ""
    places = [side.places_of(code_id) for side in agreeing]
    distinct = {frozenset(one) for one in places}
    if len(distinct) == 1:
        common: Iterable[Place] = sorted(distinct.pop())
    elif question.answer is AnswerKind.SENTENCES:
        common = _common_sentences(text, places)
    else:
        merged = merge_spans(text, [one for one in places if one], SpanRule.MAJORITY)
        common = [(span.start, span.end) for span in merged]
    return [Span(code_id, question.part, start, end) for start, end in common]


def _common_sentences(text: str, places: Sequence[Sequence[Place]]) -> list[Place]:
    counts = Counter(place for one in places for place in set(one))
    return [place for place in sentences(text) if 2 * counts[place] > len(places)]
