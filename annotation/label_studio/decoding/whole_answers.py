"""Checks that answers and highlights belong together: nothing missing, nothing left over."""

from collections.abc import Iterable, Iterator

from annotation.answers import Answers, ItemText, shown_codes
from annotation.label_studio.decoding import messages
from annotation.problems import Problem
from codebook.schema import Code, Codebook, Evidence, Question


def check_whole(
    codebook: Codebook, item: ItemText, answers: Answers, known: Iterable[Problem]
) -> Iterator[Problem]:
    """A code with a known problem is not also called unanswered or without evidence: mending the one mends both."""
    values = {judgment.code_id: judgment.value for judgment in answers.judgments}
    marked = {span.code_id for span in answers.spans}
    troubled = {problem.subject for problem in known}
    for question, code in shown_codes(codebook, item):
        value = values.get(code.id)
        if value is None:
            if code.id not in troubled:
                yield messages.unanswered(code)
        elif question.answer.takes_evidence:
            yield from _check_evidence(question, code, value, code.id in marked, code.id in troubled)


def _check_evidence(
    question: Question, code: Code, value: int, is_marked: bool, is_troubled: bool
) -> Iterator[Problem]:
    is_there = value in question.present_values
    label = question.label_of(value) if question.answer.has_levels else None
    if is_marked and not is_there:
        yield messages.orphan_span(code, label)
    if is_there and not is_marked and not is_troubled and question.evidence is Evidence.REQUIRED:
        yield messages.missing_evidence(code, label)
