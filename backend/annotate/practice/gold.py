"""The reasons of gold answers as they are stored: typed on the way in and on the way out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from annotation.answer_checks import answer_problems, problem, reason_problems
from annotation.answers import Answers, ItemText
from annotation.problems import Problem, ProblemKind
from backend.annotate.practice.errors import GoldUnreadable
from codebook.schema import Codebook


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why the answers are right, by code id, and what else annotators should know of the item."""

    by_code: dict[str, str] = field(default_factory=dict)
    remark: str = ""


class _Reasons(msgspec.Struct, forbid_unknown_fields=True):
    codes: dict[str, str] = {}
    remark: str = ""


def stored_reasons(reasons: Reasons) -> object:
    return msgspec.to_builtins(_Reasons(codes=reasons.by_code, remark=reasons.remark))


def read_reasons(stored: object) -> Reasons:
    try:
        read = msgspec.convert(stored, _Reasons)
    except msgspec.ValidationError as error:
        raise GoldUnreadable(f"The stored reasons cannot be read ({error}): write them again.") from error
    return Reasons(read.codes, read.remark)


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
