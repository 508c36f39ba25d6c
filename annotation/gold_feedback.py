"""Sets an annotator's answers beside the gold ones, code by code, so that practice teaches the codebook."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from annotation.answers import Answers, ItemText, Span, shown_codes
from codebook.schema import Code, Codebook, Part, Question


class Place(StrEnum):
    """Where the annotator's highlights lie, seen from gold's; `none` if one of the two has none."""

    SAME = "same place"
    PARTLY = "partly"
    ELSEWHERE = "elsewhere"
    NONE = "none"


# People rarely agree on the first and last word of a snippet; with this much in common they mean the same words.
SAME_PLACE_F1 = 0.8


@dataclass(frozen=True, slots=True)
class CodeFeedback:
    """`overlap` is the F1 of `span_f1`; `given_value` is None if unanswered."""

    question: Question
    code: Code
    gold_value: int
    given_value: int | None
    gold_spans: tuple[Span, ...]
    given_spans: tuple[Span, ...]
    overlap: float | None

    @property
    def is_matched(self) -> bool:
        return self.gold_value == self.given_value

    @property
    def place(self) -> Place:
        if self.overlap is None:
            return Place.NONE
        if self.overlap >= SAME_PLACE_F1:
            return Place.SAME
        return Place.PARTLY if self.overlap > 0 else Place.ELSEWHERE

    @property
    def gold_label(self) -> str:
        return self.question.label_of(self.gold_value)

    @property
    def given_label(self) -> str:
        return "no answer" if self.given_value is None else self.question.label_of(self.given_value)


@dataclass(frozen=True, slots=True)
class Score:
    matched: int
    codes: int


def compare_with_gold(
    codebook: Codebook, item: ItemText, gold: Answers, given: Answers
) -> tuple[CodeFeedback, ...]:
    """One entry for each code of the shown parts that gold answers, in codebook order."""
    return tuple(_feedback(codebook, item, gold, given))


def score(feedback: Iterable[CodeFeedback]) -> Score:
    """How many codes were judged as in gold; where the highlights lie does not count here."""
    matched = [entry.is_matched for entry in feedback]
    return Score(sum(matched), len(matched))


def span_f1(item: ItemText, gold: Iterable[Span], given: Iterable[Span]) -> float | None:
    """2·|A∩B| / (|A|+|B|) over the characters, white space left out, that gold (A) and given (B) highlight.

    None if one of them highlights nothing, because then there is no place to compare.

    >>> item = ItemText("i1", "", "I feel with you", None)
    >>> gold, given = Span("c", Part.POST, 2, 15), Span("c", Part.POST, 7, 15)
    >>> round(span_f1(item, [gold], [given]) or 0, 3)  # 11 characters, 7 characters, 7 in common
    0.778
    """
    one, other = _characters(item, gold), _characters(item, given)
    if not one or not other:
        return None
    return 2 * len(one & other) / (len(one) + len(other))


def _feedback(codebook: Codebook, item: ItemText, gold: Answers, given: Answers) -> Iterator[CodeFeedback]:
    right = {judgment.code_id: judgment.value for judgment in gold.judgments}
    said = {judgment.code_id: judgment.value for judgment in given.judgments}
    for question, code in shown_codes(codebook, item):
        if code.id not in right:
            continue
        gold_spans, given_spans = _spans_of(gold, code), _spans_of(given, code)
        yield CodeFeedback(
            question,
            code,
            gold_value=right[code.id],
            given_value=said.get(code.id),
            gold_spans=gold_spans,
            given_spans=given_spans,
            overlap=span_f1(item, gold_spans, given_spans),
        )


def _spans_of(answers: Answers, code: Code) -> tuple[Span, ...]:
    return tuple(span for span in answers.spans if span.code_id == code.id)


def _characters(item: ItemText, spans: Iterable[Span]) -> set[tuple[Part, int]]:
    return {
        (span.part, at)
        for span in spans
        for at, character in enumerate(item.words_of(span), start=span.start)
        if not character.isspace()
    }
