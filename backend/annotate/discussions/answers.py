"""One annotator's answer to an item as people read it: the texts with what was marked, and each judgment in words."""

from __future__ import annotations

from dataclasses import dataclass, replace

from backend.annotate.judgments.models import Submission, SubmissionState
from backend.core.web.passages import Highlight, MarkedPassage, marked_passages
from backend.design.samples.models import Item
from codebook.schema import AnswerKind, Code, Codebook, Part, Question


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A part of an item; `title` is a post's."""

    part: Part
    title: str
    passages: tuple[MarkedPassage, ...]

    @property
    def words(self) -> str:
        return "".join(passage.text for passage in self.passages)

    def abridged(self, keep: int) -> MarkedText:
        """What was marked stays whole; a long stretch around it keeps this many characters at each end."""
        short = tuple(
            passage
            if passage.codes or len(passage.text) <= 2 * keep
            else MarkedPassage(f"{passage.text[:keep]} […] {passage.text[-keep:]}", ())
            for passage in self.passages
        )
        return replace(self, passages=short)


@dataclass(frozen=True, slots=True)
class AnswerInWords:
    """`is_present`: the annotator found the code there. A rating says neither."""

    code: Code
    words: str
    is_present: bool


@dataclass(frozen=True, slots=True)
class ShownAnswers:
    is_skip: bool
    answers: tuple[AnswerInWords, ...]


def marked_texts(item: Item, submission: Submission | None, codebook: Codebook) -> tuple[MarkedText, ...]:
    """Without a submission to show, the bare texts."""
    spans = list(submission.spans.all()) if submission else []
    texts = [(Part.POST, item.title, item.post_text), (Part.REPLY, "", item.reply_text)]
    return tuple(
        MarkedText(
            part=part,
            title=title,
            passages=marked_passages(
                text,
                (Highlight(span.start, span.end, span.code) for span in spans if span.part == part),
                codebook,
            ),
        )
        for part, title, text in texts
        if text is not None
    )


def shown_answers(submission: Submission, codebook: Codebook) -> ShownAnswers:
    """In the codebook's order; what was simply not ticked is left out."""
    values = {judgment.code: judgment.value for judgment in submission.judgments.all()}
    found = (
        _in_words(question, code, values[code.id])
        for question, code in codebook.coded_questions()
        if code.id in values
    )
    return ShownAnswers(
        is_skip=submission.state == SubmissionState.SKIPPED,
        answers=tuple(answer for answer in found if answer.words),
    )


def _in_words(question: Question, code: Code, value: int) -> AnswerInWords:
    label, present = question.label_of(value), value in question.present_values
    match question.answer:
        case AnswerKind.TICK:
            return AnswerInWords(code, "ticked" if present else "", present)
        case AnswerKind.SENTENCES:
            return AnswerInWords(code, "sentences marked" if present else "", present)
        case AnswerKind.LEVELS:
            return AnswerInWords(code, label, present)
        case AnswerKind.SCALE:
            return AnswerInWords(code, f"{value} · {label}", present)


def present_codes(submission: Submission | None, codebook: Codebook) -> tuple[Code, ...]:
    answers = shown_answers(submission, codebook).answers if submission else ()
    return tuple(answer.code for answer in answers if answer.is_present)
