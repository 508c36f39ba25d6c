"""Answers as they are stored as JSON, typed on the way in and on the way out; flags are kept elsewhere."""

import msgspec

from annotation.answers import Answers, Judgment, Span
from codebook.schema import Part


class AnswersUnreadable(ValueError):
    """Stored answers that are not in the stored form: they were changed behind Attune's back."""


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
        raise AnswersUnreadable(f"Stored answers cannot be read ({error}): write them again.") from error
    return Answers(
        judgments=tuple(Judgment(judgment.code, judgment.value) for judgment in read.judgments),
        spans=tuple(Span(span.code, span.part, span.start, span.end) for span in read.spans),
        flag=None,
    )
