"""Answers as the result rows that Label Studio itself would send, to pre-fill, to move and to test."""

import hashlib
from collections.abc import Iterator
from enum import StrEnum

from annotation.answers import Answers, ItemText, Span, shown_codes
from annotation.label_studio.config.control_names import (
    FLAG_VALUE,
    ControlKind,
    ControlName,
    text_name_in_results,
)
from codebook.schema import AnswerKind, Code, Codebook, Part, Question
from corpus.sampling.encoding import netstrings

Row = dict[str, object]


class Origin(StrEnum):
    """Who made a row first; Label Studio keeps it, and adds “-changed” to what somebody changed."""

    MANUAL = "manual"
    PREDICTION = "prediction"


def encode_answers(
    codebook: Codebook, item: ItemText, answers: Answers, *, origin: Origin = Origin.MANUAL
) -> list[Row]:
    """Choices, then highlights, then the flag, in codebook order; equal answers give equal rows, ids included."""
    values = {judgment.code_id: judgment.value for judgment in answers.judgments}
    rows: list[Row] = []
    for question in codebook.questions:
        if item.text_of(question.part) is None:
            continue
        rows.extend(_choices(item, question, values))
    kinds = {code.id: _mark_kind(question) for question, code in shown_codes(codebook, item)}
    rows.extend(_mark(item, kinds[span.code_id], span) for span in answers.spans)
    rows.extend(_flag(item, answers))
    return [{**row, "origin": origin.value} for row in rows]


def _choices(item: ItemText, question: Question, values: dict[str, int]) -> Iterator[Row]:
    if question.answer is AnswerKind.TICK:
        ticked = [code.id for code in question.codes if values.get(code.id)]
        if ticked:
            name = ControlName(ControlKind.TICKS, question.id, question.part)
            yield _row(item, name, "choices", {"choices": ticked})
    if question.answer.has_levels:
        for code in question.codes:
            yield from _level(item, question, code, values)


def _level(item: ItemText, question: Question, code: Code, values: dict[str, int]) -> Iterator[Row]:
    if code.id in values:
        name = ControlName(ControlKind.LEVEL, code.id, question.part)
        yield _row(item, name, "choices", {"choices": [str(values[code.id])]})


def _mark_kind(question: Question) -> ControlKind:
    return ControlKind.SENTENCE if question.answer is AnswerKind.SENTENCES else ControlKind.SPAN


def _mark(item: ItemText, kind: ControlKind, span: Span) -> Row:
    # Label Studio writes a line break inside a highlight as a backslash and an n.
    text = item.words_of(span).replace("\n", "\\n")
    value: dict[str, object] = {
        "start": span.start,
        "end": span.end,
        "text": text,
        "labels": [span.code_id],
    }
    name = ControlName(kind, span.code_id, span.part)
    return _row(item, name, "labels", value, str(span.start), str(span.end))


def _flag(item: ItemText, answers: Answers) -> Iterator[Row]:
    if answers.flag is None:
        return
    yield _row(item, ControlName(ControlKind.FLAG, "", Part.POST), "choices", {"choices": [FLAG_VALUE]})
    if answers.flag.comment:
        comment = ControlName(ControlKind.COMMENT, "", Part.POST)
        yield _row(item, comment, "textarea", {"text": [answers.flag.comment]})


def _row(item: ItemText, name: ControlName, row_type: str, value: dict[str, object], *place: str) -> Row:
    from_name = name.in_results()
    unit = netstrings(item.item_id, from_name, *place)
    return {
        "id": hashlib.blake2b(unit, digest_size=5, person=b"attune-row").hexdigest(),
        "from_name": from_name,
        "to_name": text_name_in_results(name.part),
        "type": row_type,
        "value": value,
    }
