"""The flat table that models are trained from: an item a row, a few columns for each code."""

from collections.abc import Iterator, Sequence

import polars as pl

from annotation.release.rows import FinalLabel, ReleaseRow, Snippet
from codebook.schema import AnswerKind, Codebook, Evidence, Question

SPANS = pl.List(pl.Struct({"start": pl.Int64, "end": pl.Int64, "confidence": pl.Float64}))
ITEM_COLUMNS = {
    "item_id": pl.String(),
    "platform": pl.String(),
    "community": pl.String(),
    "post_id": pl.String(),
    "reply_id": pl.String(),
    "title": pl.String(),
    "post_text": pl.String(),
    "reply_text": pl.String(),
    "flagged": pl.Boolean(),
    "inclusion_probability": pl.Float64(),
}


def training_frame(rows: Sequence[ReleaseRow], codebook: Codebook) -> pl.DataFrame:
    """Texts are null in a release without them; so is the label of a code that was not asked."""
    schema = dict(ITEM_COLUMNS) | dict(_code_schema(codebook))
    records = [_record(row) for row in rows]
    columns = {name: [record.get(name) for record in records] for name in schema}
    return pl.DataFrame(columns, schema=schema)


def has_words(question: Question) -> bool:
    """Whether an answer comes with places in the text."""
    return question.answer is AnswerKind.SENTENCES or (
        question.answer.takes_evidence and question.evidence is not Evidence.NONE
    )


def _code_schema(codebook: Codebook) -> Iterator[tuple[str, pl.DataType]]:
    for question, code in codebook.coded_questions():
        yield f"label__{code.id}", pl.Int64()
        if has_words(question):
            yield f"spans__{code.id}", SPANS
        yield f"source__{code.id}", pl.String()
        yield f"confidence__{code.id}", pl.Float64()
        yield f"weight__{code.id}", pl.Float64()


def _record(row: ReleaseRow) -> dict[str, object]:
    item = row.item
    texts = item.texts
    record: dict[str, object] = {
        "item_id": item.item_id,
        "platform": item.platform,
        "community": item.community,
        "post_id": item.post_id,
        "reply_id": item.reply_id,
        "title": texts.title if texts else None,
        "post_text": texts.post if texts else None,
        "reply_text": texts.reply if texts else None,
        "flagged": item.flagged,
        "inclusion_probability": item.inclusion_probability,
    }
    for label in row.labels:
        record |= _label_columns(label)
    return record


def _label_columns(label: FinalLabel) -> dict[str, object]:
    return {
        f"label__{label.code}": label.value,
        f"spans__{label.code}": _places(label.evidence.snippets),
        f"source__{label.code}": label.source.value,
        f"confidence__{label.code}": label.confidence,
        f"weight__{label.code}": label.weight,
    }


def _places(snippets: Sequence[Snippet]) -> list[dict[str, float]]:
    """A question is about one part, so the part need not be said again."""
    return [{"start": place.start, "end": place.end, "confidence": place.confidence} for place in snippets]
