"""The flat table that models are trained from: an item a row, a few columns for each code."""

from collections.abc import Sequence

import polars as pl

from annotation.release.rows import FinalLabel, ReleaseRow
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
    "suggested_by": pl.List(pl.String()),
}


def training_frame(rows: Sequence[ReleaseRow], codebook: Codebook, *, soft: bool = False) -> pl.DataFrame:
    """Texts are null in a release without them; so is everything about a code that has no place in the item.
    `soft` adds the shares of the answers, in the codebook's order."""
    records = [_record(row) for row in rows]
    labels = [{label.code: label for label in row.labels} for row in rows]
    columns = [
        pl.Series(name, [record[name] for record in records], kind) for name, kind in ITEM_COLUMNS.items()
    ]
    for question, code in codebook.coded_questions():
        columns += _code_columns(question, code.id, [own.get(code.id) for own in labels], soft=soft)
    return pl.DataFrame(columns)


def has_words(question: Question) -> bool:
    """Whether an answer comes with places in the text."""
    return question.answer is AnswerKind.SENTENCES or (
        question.answer.takes_evidence and question.evidence is not Evidence.NONE
    )


def _code_columns(
    question: Question, code: str, labels: Sequence[FinalLabel | None], *, soft: bool
) -> list[pl.Series]:
    columns = [pl.Series(f"label__{code}", [label and label.value for label in labels], pl.Int64)]
    if has_words(question):
        columns.append(_span_column(f"spans__{code}", labels))
    if soft:
        columns += _share_columns(code, labels)
    return [
        *columns,
        pl.Series(f"source__{code}", [label and label.source.value for label in labels], pl.String),
        pl.Series(f"confidence__{code}", [label and label.confidence for label in labels], pl.Float64),
        pl.Series(f"weight__{code}", [label and label.weight for label in labels], pl.Float64),
    ]


def _share_columns(code: str, labels: Sequence[FinalLabel | None]) -> list[pl.Series]:
    """Null where nobody answered; the order is that of the answers' values."""
    shares = [[share for _, share in label.shares] if label and label.shares else None for label in labels]
    n = [label and label.n_annotators for label in labels]
    return [
        pl.Series(f"shares__{code}", shares, pl.List(pl.Float64)),
        pl.Series(f"n_annotators__{code}", n, pl.Int64),
    ]


def _span_column(name: str, labels: Sequence[FinalLabel | None]) -> pl.Series:
    """Gathered from one flat table, because Polars makes lists of records one by one only slowly.

    A question is about one part, so the part need not be said again.
    """
    flat = [
        (row, place.start, place.end, place.confidence)
        for row, label in enumerate(labels)
        if label
        for place in label.evidence.snippets
    ]
    schema = {"row": pl.Int64(), "start": pl.Int64(), "end": pl.Int64(), "confidence": pl.Float64()}
    gathered = (
        pl.DataFrame(flat, schema=schema, orient="row")
        .group_by("row", maintain_order=True)
        .agg(pl.struct("start", "end", "confidence").alias(name))
    )
    has_label = pl.Series("has_label", [label is not None for label in labels], pl.Boolean)
    every = pl.DataFrame({"row": pl.int_range(len(labels), eager=True), "has_label": has_label})
    joined = every.join(gathered, on="row", how="left", maintain_order="left")
    nothing = pl.lit(pl.Series([[]], dtype=SPANS))
    empty_where_asked = pl.when("has_label").then(pl.col(name).fill_null(nothing))
    return joined.select(empty_where_asked.alias(name)).to_series()


def _record(row: ReleaseRow) -> dict[str, str | float | list[str] | None]:
    item = row.item
    texts = item.texts
    return {
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
        "suggested_by": list(item.suggested_by),
    }
