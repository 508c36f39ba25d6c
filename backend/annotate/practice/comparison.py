"""Sets one submitted item beside its gold: code by code with reasons, and as marked text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotation.answers import Answers, ItemText
from annotation.gold_feedback import CodeFeedback, Place, Score, compare_with_gold, score
from backend.annotate.judgments.models import Submission
from backend.annotate.judgments.selectors import annotator_answers
from backend.annotate.practice.selectors import Gold
from backend.core.web.passages import Highlight, MarkedPassage, marked_passages
from codebook.schema import AnswerKind, Code, Codebook, Part


@dataclass(frozen=True, slots=True)
class CodeRow:
    """One code with the words that each side highlighted."""

    feedback: CodeFeedback
    why: str
    gold_quotes: tuple[str, ...]
    given_quotes: tuple[str, ...]

    @property
    def is_matched(self) -> bool:
        return self.feedback.is_matched

    @property
    def is_elsewhere(self) -> bool:
        """Judged alike, but by other words."""
        return self.is_matched and self.feedback.place in (Place.PARTLY, Place.ELSEWHERE)

    @property
    def is_absent_to_both(self) -> bool:
        """A rating is never a no, so it is always shown."""
        question, value = self.feedback.question, self.feedback.gold_value
        can_be_absent = question.answer is not AnswerKind.SCALE
        return self.is_matched and can_be_absent and value not in question.present_values


@dataclass(frozen=True, slots=True)
class MarkedPart:
    """The same text twice: as the team highlighted it and as the annotator did."""

    part: Part
    gold: tuple[MarkedPassage, ...]
    given: tuple[MarkedPassage, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    rows: tuple[CodeRow, ...]
    score: Score
    remark: str
    parts: tuple[MarkedPart, ...]

    @property
    def differing(self) -> tuple[CodeRow, ...]:
        return tuple(row for row in self.rows if not row.is_matched)

    @property
    def matching(self) -> tuple[CodeRow, ...]:
        return tuple(row for row in self.rows if row.is_matched and not row.is_absent_to_both)

    @property
    def absent_to_both(self) -> tuple[CodeRow, ...]:
        return tuple(row for row in self.rows if row.is_absent_to_both)


def compare_item(codebook: Codebook, text: ItemText, gold: Gold, submission: Submission) -> Comparison:
    given = annotator_answers(codebook, text, submission)
    feedback = compare_with_gold(codebook, text, gold.answers, given)
    return Comparison(
        rows=tuple(_row(text, entry, gold) for entry in feedback),
        score=score(feedback),
        remark=gold.reasons.remark,
        parts=tuple(_parts(codebook, text, gold.answers, given)),
    )


def _row(text: ItemText, feedback: CodeFeedback, gold: Gold) -> CodeRow:
    return CodeRow(
        feedback,
        gold.reasons.by_code.get(feedback.code.id, ""),
        tuple(text.words_of(span) for span in feedback.gold_spans),
        tuple(text.words_of(span) for span in feedback.given_spans),
    )


def _parts(codebook: Codebook, text: ItemText, gold: Answers, given: Answers) -> list[MarkedPart]:
    shown = [part for part in codebook.parts if text.text_of(part) is not None]
    return [
        MarkedPart(
            part, _mark_passages(codebook, text, part, gold), _mark_passages(codebook, text, part, given)
        )
        for part in shown
    ]


def _mark_passages(
    codebook: Codebook, text: ItemText, part: Part, answers: Answers
) -> tuple[MarkedPassage, ...]:
    highlights = [
        Highlight(span.start, span.end, span.code_id) for span in answers.spans if span.part is part
    ]
    return marked_passages(text.text_of(part) or "", highlights, codebook)


@dataclass(frozen=True, slots=True)
class CodeHits:
    code: Code
    matched: int
    items: int

    @property
    def share(self) -> float:
        return self.matched / self.items


def hits_by_code(codebook: Codebook, feedback: Sequence[CodeFeedback]) -> tuple[CodeHits, ...]:
    found = []
    for _, code in codebook.coded_questions():
        asked = [entry for entry in feedback if entry.code.id == code.id]
        if asked:
            found.append(CodeHits(code, score(asked).matched, len(asked)))
    return tuple(found)


def most_missed(hits: Iterable[CodeHits]) -> tuple[CodeHits, ...]:
    missed = [found for found in hits if found.matched < found.items]
    return tuple(sorted(missed, key=lambda found: found.share))
