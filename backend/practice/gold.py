"""Gold answers as they are stored: typed on the way in and on the way out."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from annotation.answers import Answers, Judgment, Span
from backend.practice.errors import GoldUnreadable
from codebook.schema import Part


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why the answers are right, by code id, and what else annotators should know of the item."""

    by_code: dict[str, str] = field(default_factory=dict)
    remark: str = ""


class _Judgment(msgspec.Struct, forbid_unknown_fields=True):
    code: str
    value: int


class _Span(msgspec.Struct, forbid_unknown_fields=True):
    code: str
    part: Part
    start: int
    end: int


class _Answers(msgspec.Struct, forbid_unknown_fields=True):
    judgments: list[_Judgment]
    spans: list[_Span]


class _Reasons(msgspec.Struct, forbid_unknown_fields=True):
    codes: dict[str, str] = {}
    remark: str = ""


def stored_answers(answers: Answers) -> object:
    """Lists, because a database may bring the keys of an object back in another order."""
    return msgspec.to_builtins(
        _Answers(
            judgments=[_Judgment(judgment.code_id, judgment.value) for judgment in answers.judgments],
            spans=[_Span(span.code_id, span.part, span.start, span.end) for span in answers.spans],
        )
    )


def read_answers(stored: object) -> Answers:
    try:
        read = msgspec.convert(stored, _Answers)
    except msgspec.ValidationError as error:
        raise GoldUnreadable(f"A stored gold answer cannot be read ({error}): write it again.") from error
    return Answers(
        judgments=tuple(Judgment(judgment.code, judgment.value) for judgment in read.judgments),
        spans=tuple(Span(span.code, span.part, span.start, span.end) for span in read.spans),
        flag=None,
    )


def stored_reasons(reasons: Reasons) -> object:
    return msgspec.to_builtins(_Reasons(codes=reasons.by_code, remark=reasons.remark))


def read_reasons(stored: object) -> Reasons:
    try:
        read = msgspec.convert(stored, _Reasons)
    except msgspec.ValidationError as error:
        raise GoldUnreadable(f"The stored reasons cannot be read ({error}): write them again.") from error
    return Reasons(read.codes, read.remark)
