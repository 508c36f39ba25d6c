"""What calls about a model's errors take and give."""

from __future__ import annotations

from datetime import datetime

from ninja import Schema

from analysis.error_analysis import ErrorKind, ModelError, Quote
from analysis.error_tags import ErrorTag
from annotation.release.rows import SplitPart
from backend.learn.error_analysis.models import ErrorMark
from backend.learn.error_analysis.page import CountRow
from backend.learn.error_analysis.selectors import Tags
from codebook.schema import Part


class ErrorQuoteOut(Schema):
    """A place in the judged part; `words` only where they were asked for."""

    start: int
    end: int
    words: str | None

    @classmethod
    def of(cls, quote: Quote, *, with_words: bool) -> ErrorQuoteOut:
        return cls(start=quote.start, end=quote.end, words=quote.words if with_words else None)


class AnnotatorOut(Schema):
    annotator: str
    value: int
    quotes: list[ErrorQuoteOut]


class ErrorOut(Schema):
    """`probability` is how probable the model held the code."""

    item_id: str
    code: str
    part: Part
    kind: ErrorKind
    probability: float | None
    gold_value: int
    model_value: int
    gold: list[ErrorQuoteOut]
    annotators: list[AnnotatorOut]
    model: list[ErrorQuoteOut]
    tags: list[ErrorTag]

    @classmethod
    def of(cls, error: ModelError, tags: Tags, *, with_words: bool) -> ErrorOut:
        def quotes(given: tuple[Quote, ...]) -> list[ErrorQuoteOut]:
            return [ErrorQuoteOut.of(quote, with_words=with_words) for quote in given]

        return cls(
            item_id=error.item_id,
            code=error.code,
            part=error.part,
            kind=error.kind,
            probability=error.probability,
            gold_value=error.gold_value,
            model_value=error.model_value,
            gold=quotes(error.gold),
            annotators=[
                AnnotatorOut(annotator=side.annotator, value=side.value, quotes=quotes(side.quotes))
                for side in error.annotators
            ],
            model=quotes(error.model),
            tags=sorted(tags.get((error.item_id, error.code), ())),
        )


class CountOut(Schema):
    code: str
    kind: ErrorKind
    n: int
    untagged: int
    by_tag: dict[ErrorTag, int]

    @classmethod
    def of(cls, row: CountRow) -> CountOut:
        count = row.count
        return cls(code=count.code, kind=count.kind, n=count.n, untagged=count.untagged, by_tag=count.by_tag)


class ErrorsOut(Schema):
    """All errors on one part of the release, surest first within a theme and kind."""

    part: SplitPart
    counts: list[CountOut]
    errors: list[ErrorOut]


class MarkIn(Schema):
    """`put` false takes the tag off."""

    item_id: str
    code: str
    tag: ErrorTag
    put: bool = True
    part: SplitPart = SplitPart.VALIDATION


class MarkedOut(Schema):
    """`adjudication` says what became of the item, if the tag asks for that."""

    tags: list[ErrorTag]
    adjudication: str | None


class MarkOut(Schema):
    """A step of the history."""

    item_id: str
    code: str
    tag: ErrorTag
    put: bool
    author: str
    made_at: datetime

    @classmethod
    def of(cls, mark: ErrorMark) -> MarkOut:
        return cls(
            item_id=mark.item.item_id,
            code=mark.code,
            tag=mark.error_tag,
            put=mark.is_put,
            author=mark.author.username,
            made_at=mark.made_at,
        )
