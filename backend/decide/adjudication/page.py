"""Puts together what the page of one item shows: texts, columns, rows, and what the researcher has filled in."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from annotation.answers import Span
from annotation.compare_answers import OneSide, disputed_codes
from annotation.sentences import sentences
from backend.decide.adjudication.candidate_answers import CandidateAnswers
from backend.decide.adjudication.forms import (
    DecisionForm,
    answer_choices,
    read_places,
    takes_words,
    write_places,
)
from backend.decide.adjudication.words import Piece, pieces, words
from codebook.schema import AnswerKind, Code, Part, Question

LANES = 6


@dataclass(frozen=True, slots=True)
class Column:
    """One side that can be taken by its number; `lane` is how it is drawn under the text."""

    number: int
    label: str
    note: str
    side: OneSide
    is_skip: bool
    annotator_id: int | None

    @property
    def lane(self) -> int:
        return min(self.number, LANES)


@dataclass(frozen=True, slots=True)
class Cell:
    """What one side says of one code, ready to be taken by a script."""

    column: str
    lane: int
    value: int | None
    label: str
    is_present: bool
    places: str


@dataclass(frozen=True, slots=True)
class Row:
    question: Question
    code: Code
    cells: list[Cell]
    majority: Cell
    is_disputed: bool
    is_evidence_disputed: bool
    has_words_left: bool
    choices: list[tuple[int, str, bool]]
    places: str
    quotes: str
    takes_words: bool
    problems: list[str]

    @property
    def is_open(self) -> bool:
        return self.is_disputed or self.is_evidence_disputed or bool(self.problems)

    @property
    def present_values(self) -> str:
        return " ".join(str(value) for value in sorted(self.question.present_values))

    @property
    def is_sentences(self) -> bool:
        return self.question.answer is AnswerKind.SENTENCES


@dataclass(frozen=True, slots=True)
class Text:
    part: Part
    title: str
    pieces: list[Piece]
    words: str
    sentences: str


def annotators_columns(candidates: CandidateAnswers) -> list[Column]:
    return [
        Column(number, str(offer.annotator), "", offer.side, offer.is_skip, offer.annotator.pk)
        for number, offer in enumerate(candidates.sides, start=1)
    ]


def prefill(
    form_codes: Sequence[str], sides: Sequence[OneSide], source: OneSide, words_differ: Collection[str]
) -> OneSide:
    """What all sides agree on, taken from the source; what they do not agree on is left for the researcher."""
    left = disputed_codes(sides, form_codes)
    values = {code: value for code, value in source.values.items() if code not in left}
    agreed = values.keys() - set(words_differ)
    return OneSide(values, tuple(span for span in source.spans if span.code_id in agreed))


def rows_of(
    form: DecisionForm,
    candidates: CandidateAnswers,
    columns: Sequence[Column],
    compared: Sequence[OneSide],
    words_differ: Collection[str],
    *,
    is_prefilled: bool,
) -> list[Row]:
    """`compared` are the sides whose differences have to be settled; those rows come first.

    Where the words differ and nobody has chosen any yet, a prefilled row is not decided before it is touched.
    """
    codes = [code.id for _, code in form.shown]
    disputed = set(disputed_codes(compared, codes))
    rows = [
        _row(
            form,
            question,
            code,
            columns,
            candidates.majority.side,
            is_disputed=code.id in disputed,
            is_evidence_disputed=code.id in words_differ,
            has_words_left=is_prefilled and code.id in words_differ,
        )
        for question, code in form.shown
    ]
    return sorted(rows, key=lambda row: not row.is_open)


def _row(
    form: DecisionForm,
    question: Question,
    code: Code,
    columns: Sequence[Column],
    majority: OneSide,
    *,
    is_disputed: bool,
    is_evidence_disputed: bool,
    has_words_left: bool,
) -> Row:
    chosen = form[f"value-{code.id}"].value()
    has_words = takes_words(question)
    return Row(
        question=question,
        code=code,
        cells=[_cell(str(column.number), column.lane, column.side, question, code) for column in columns],
        majority=_cell("m", 0, majority, question, code),
        is_disputed=is_disputed,
        is_evidence_disputed=is_evidence_disputed,
        has_words_left=has_words_left,
        choices=[(value, label, str(chosen) == str(value)) for value, label in answer_choices(question)],
        places=str(form[f"spans-{code.id}"].value() or "") if has_words else "",
        quotes=str(form[f"quotes-{code.id}"].value() or "") if has_words else "",
        takes_words=has_words,
        problems=form.problems.get(code.id, []),
    )


def _cell(column: str, lane: int, side: OneSide, question: Question, code: Code) -> Cell:
    value = side.values.get(code.id)
    label = "" if value is None else question.label_of(value)
    return Cell(
        column=column,
        lane=lane,
        value=value,
        label=label,
        is_present=value in question.present_values,
        places=write_places(side.places_of(code.id)),
    )


def texts_of(candidates: CandidateAnswers, columns: Sequence[Column], form: DecisionForm) -> list[Text]:
    """Cut at everybody's edges and at those of the final answer, so that a script only has to paint."""
    final = [span for question, code in form.shown for span in _final_spans(form, question, code)]
    lanes: Mapping[int, list[Span]] = {lane: [] for lane in range(1, LANES + 1)}
    for column in columns:
        lanes[column.lane].extend(column.side.spans)
    final += candidates.majority.side.spans
    shown = [
        (Part.POST, candidates.text.title, candidates.text.post),
        (Part.REPLY, "", candidates.text.reply),
    ]
    return [
        Text(
            part=part,
            title=title,
            pieces=pieces(text, part, list(lanes.values()), final),
            words=write_places(words(text)),
            sentences=write_places(sentences(text)),
        )
        for part, title, text in shown
        if text is not None
    ]


def _final_spans(form: DecisionForm, question: Question, code: Code) -> list[Span]:
    if not takes_words(question):
        return []
    written = str(form[f"spans-{code.id}"].value() or "")
    return [Span(code.id, question.part, *place) for place in read_places(written)]
