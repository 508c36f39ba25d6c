"""Puts together what the page of errors shows: each with its text, both sides' words, and its tags."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.http import QueryDict

from analysis.error_analysis import ErrorKind, ModelError, Quote, TagCount, tag_counts
from analysis.error_tags import ErrorTag
from annotation.answers import Span
from annotation.release.rows import ReleaseRow
from backend.decide.adjudication.words import Piece, pieces
from backend.learn.error_analysis.selectors import ErrorKey, Errors, Tags
from codebook.schema import Code, Part, Question

UNTAGGED = "none"
KIND_WORDS = {ErrorKind.FALSE_POSITIVE: "False positive", ErrorKind.FALSE_NEGATIVE: "Missed"}


@dataclass(frozen=True, slots=True)
class Filters:
    """Empty ones filter nothing; the tag “none” asks for what nobody has sorted yet."""

    code: str = ""
    kind: str = ""
    tag: str = ""

    @classmethod
    def of(cls, asked: QueryDict) -> Filters:
        return cls(*(asked.get(name, "") for name in ("code", "kind", "tag")))

    def takes(self, error: ModelError, tags: Tags) -> bool:
        put = tags.get((error.item_id, error.code), frozenset())
        return (
            self.code in ("", error.code)
            and self.kind in ("", error.kind.value)
            and (not self.tag or (not put if self.tag == UNTAGGED else self.tag in put))
        )

    def address(self) -> dict[str, str]:
        named = {"code": self.code, "kind": self.kind, "tag": self.tag}
        return {name: value for name, value in named.items() if value}


@dataclass(frozen=True, slots=True)
class TagButton:
    """`key` is the number on the keyboard."""

    key: int
    tag: ErrorTag
    is_put: bool


@dataclass(frozen=True, slots=True)
class Said:
    """What one annotator said, and the words they pointed to."""

    who: str
    answer: str
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """`pieces` cut the judged text: what annotators marked is in lane 1, what the model marked in lane 2."""

    error: ModelError
    code: Code
    row: ReleaseRow
    label: str
    model_answer: str
    annotators: tuple[Said, ...]
    pieces: Sequence[Piece]
    buttons: tuple[TagButton, ...]

    @property
    def kind(self) -> str:
        return KIND_WORDS[self.error.kind]

    @property
    def is_reply(self) -> bool:
        return self.error.part is Part.REPLY

    @property
    def anchor(self) -> str:
        return f"error-{self.error.item_id}-{self.error.code}"


def chosen_errors(errors: Errors, tags: Tags, filters: Filters) -> list[ModelError]:
    """By theme, false positives first, those of which the model was surest before others."""
    return [error for error in errors.all() if filters.takes(error, tags)]


def error_rows(errors: Errors, chosen: Iterable[ModelError], tags: Tags) -> Iterator[ErrorRow]:
    known = {code.id: (question, code) for question, code in errors.codebook.coded_questions()}
    for error in chosen:
        question, code = known[error.code]
        yield _row(errors.rows[error.item_id], error, question, code, tags)


def _row(row: ReleaseRow, error: ModelError, question: Question, code: Code, tags: Tags) -> ErrorRow:
    marked = [quote for side in error.annotators for quote in side.quotes]
    return ErrorRow(
        error=error,
        code=code,
        row=row,
        label=question.label_of(error.gold_value),
        model_answer=question.label_of(error.model_value),
        annotators=tuple(
            Said(side.annotator, question.label_of(side.value), side.quotes) for side in error.annotators
        ),
        pieces=_pieces(row, error, [*error.gold, *marked]),
        buttons=_buttons(tags, (error.item_id, error.code)),
    )


def _pieces(row: ReleaseRow, error: ModelError, theirs: Sequence[Quote]) -> list[Piece]:
    texts = row.item.texts
    text = (texts.post if error.part is Part.POST else texts.reply) if texts else None
    if not text:
        return []
    lanes = [
        [Span(error.code, error.part, each.start, each.end) for each in side]
        for side in (theirs, error.model)
    ]
    return pieces(text, error.part, lanes, ())


def _buttons(tags: Tags, key: ErrorKey) -> tuple[TagButton, ...]:
    put = tags.get(key, frozenset())
    return tuple(TagButton(number, tag, tag in put) for number, tag in enumerate(ErrorTag, start=1))


@dataclass(frozen=True, slots=True)
class CountRow:
    """`by_tag` in the order of the tags."""

    name: str
    count: TagCount
    kind: str
    by_tag: tuple[int, ...]


def count_rows(errors: Errors, tags: Tags) -> list[CountRow]:
    """Without themes that the model never gets wrong."""
    names = {code.id: code.name for _, code in errors.codebook.coded_questions()}
    return [
        CountRow(
            names[count.code], count, KIND_WORDS[count.kind], tuple(count.by_tag[tag] for tag in ErrorTag)
        )
        for count in tag_counts(errors.codes, tags)
        if count.n
    ]
