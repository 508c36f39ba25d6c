"""Holds gold and its reasons to the codebook and to the text of the item: what annotators learn from must be sound."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.answer_checks import answer_problems, problem, reason_problems
from annotation.answers import Answers, ItemText
from annotation.problems import Problem, ProblemKind
from backend.annotate.practice.gold import Reasons
from codebook.schema import Codebook


def gold_problems(
    codebook: Codebook, item: ItemText, answers: Answers, reasons: Reasons
) -> tuple[Problem, ...]:
    """Everything that is wrong, in codebook order; `subject` is the code it is about."""
    return tuple(_problems(codebook, item, answers, reasons))


def _problems(codebook: Codebook, item: ItemText, answers: Answers, reasons: Reasons) -> Iterator[Problem]:
    yield from answer_problems(codebook, item, answers, also_named=reasons.by_code)
    if answers.flag is not None:
        message = "A gold answer is sure: take the flag away, or leave the item out of practice."
        yield problem(ProblemKind.CONTRADICTION, "", message)
    for subject, text in [*reasons.by_code.items(), ("", reasons.remark)]:
        yield from reason_problems(subject, text)
