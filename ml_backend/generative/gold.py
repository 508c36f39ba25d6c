"""What a model should have answered: a label as the pieces of its JSON."""

from __future__ import annotations

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind
from ml_backend.examples import Example
from ml_backend.generative.answer_form import END, QUOTES, asks_quotes, head, quotes_after, sentence_piece
from ml_backend.generative.prompts import Prompting, Shown
from ml_backend.learners.calibration import find_overlaps


def gold_pieces(prompting: Prompting, example: Example, shown: Shown, *, evidence: bool) -> list[str]:
    """Of what was shown. Without `END` as the last piece where a label shows no words that it should."""
    question = prompting.question
    target = example.targets[question.code_id]
    if question.answer is AnswerKind.SENTENCES:
        marked = find_overlaps(shown.places, target.marks)
        return [*(sentence_piece(at, bool(each)) for at, each in enumerate(marked, start=1)), END]
    start = head(question, target.value)
    if not (asks_quotes(question, evidence=evidence) and _wants_evidence(question, target.value)):
        return [start, END]
    text = example.text.text_of(question.part) or ""
    quotes = [text[first:last].strip() for first, last in target.marks if last <= shown.end]
    while quotes and prompting.length(start + QUOTES + quotes_after(quotes)) > prompting.answer_room:
        quotes = quotes[:-1]
    return [start, QUOTES, quotes_after(quotes)] if quotes else [start]


def _wants_evidence(question: ModelQuestion, value: int) -> bool:
    return any(each.value == value and each.wants_evidence for each in question.values)


def is_finished(pieces: list[str]) -> bool:
    return pieces[-1].endswith(END)
