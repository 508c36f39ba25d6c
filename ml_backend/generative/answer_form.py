"""The JSON that a model answers in: written piece by piece, so that pieces can be scored apart, and read strictly.

An answer is `{"answer": "…"}`, with `"quotes": […]` where words are asked for. Where sentences are asked for it is
`{"1": "no", "2": "yes"}`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind

NO, YES = "no", "yes"
END, QUOTES = "}", ', "quotes":'


class NotTheForm(ValueError):
    """A model's answer that is not the JSON it was asked for."""


class _Answer(msgspec.Struct, forbid_unknown_fields=True):
    answer: str
    quotes: tuple[str, ...] = ()


def asks_quotes(question: ModelQuestion, *, evidence: bool) -> bool:
    return evidence and question.wants_evidence and question.answer is not AnswerKind.SENTENCES


def spoken_value(question: ModelQuestion, value: int) -> str:
    """An answer in the codebook's words; a point of a rating scale by its number."""
    if question.answer is AnswerKind.SCALE:
        return str(value)
    return next(each.label for each in question.values if each.value == value)


def head(question: ModelQuestion, value: int) -> str:
    """The beginning of an answer. No head begins another, since each ends its string, so their likelihoods compare."""
    return f'{{"answer": {_string(spoken_value(question, value))}'


def quotes_after(quotes: Sequence[str]) -> str:
    """What follows `QUOTES`.

    >>> quotes_after(["so sorry", 'the "end"'])
    ' ["so sorry", "the \\\\"end\\\\""]}'
    """
    return f" [{', '.join(map(_string, quotes))}]{END}"


def sentence_piece(number: int, is_marked: bool) -> str:
    """
    >>> sentence_piece(1, False) + sentence_piece(2, True) + END
    '{"1": "no", "2": "yes"}'
    """
    return f'{"{" if number == 1 else ", "}"{number}": "{YES if is_marked else NO}"'


def read_quotes(question: ModelQuestion, value: int, answer: str) -> tuple[str, ...]:
    """Of an answer that began with the head of a value; raises NotTheForm."""
    try:
        found = msgspec.json.decode(answer, type=_Answer)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise NotTheForm("The answer is not the JSON that was asked for.") from error
    if found.answer != spoken_value(question, value):
        raise NotTheForm("The answer is another than the one that was given.")
    return found.quotes


def is_whole(answer: str) -> bool:
    """Whether an answer is finished, so that nothing more need be said.

    >>> is_whole('{"answer": "yes", "quotes": ["a}'), is_whole('{"answer": "yes"} ')
    (False, True)
    """
    if not answer.rstrip().endswith(END):
        return False
    try:
        json.loads(answer)
    except ValueError:
        return False
    return True


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
