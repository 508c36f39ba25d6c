"""Predictions as one flat table, a row for each item and code, for those who work with data frames."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import polars as pl

from learning.predictions.rows import CodePrediction, ItemPrediction, PredictedSpan

SPREAD = "spread"
SCHEMA = pl.Schema(
    {
        "item_id": pl.String(),
        "code": pl.String(),
        "value": pl.Int64(),
        "probabilities": pl.List(pl.Struct({"value": pl.Int64(), "probability": pl.Float64()})),
        "spans": pl.List(
            pl.Struct({"part": pl.String(), "start": pl.Int64(), "end": pl.Int64(), "score": pl.Float64()})
        ),
        "adapter": pl.String(),
        "n_truncated": pl.Int64(),
    }
)


class TableUnsound(ValueError):
    """A table that is not one of predictions; the message names the row where it can."""


def long_frame(predictions: Sequence[ItemPrediction]) -> pl.DataFrame:
    """With a column `spread` where any prediction has one."""
    rows = [_row(prediction, code) for prediction in predictions for code in prediction.codes]
    frame = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    spreads = [code.spread for prediction in predictions for code in prediction.codes]
    if all(spread is None for spread in spreads):
        return frame
    return frame.with_columns(pl.Series(SPREAD, spreads, pl.Float64))


def _row(prediction: ItemPrediction, code: CodePrediction) -> tuple[object, ...]:
    return (
        prediction.item_id,
        code.code_id,
        code.value,
        [{"value": value, "probability": probability} for value, probability in code.probabilities],
        [
            {"part": span.part.value, "start": span.start, "end": span.end, "score": span.score}
            for span in code.spans
        ],
        prediction.adapter_id,
        prediction.n_truncated,
    )


def predictions_in(frame: pl.DataFrame) -> Iterator[tuple[int, ItemPrediction]]:
    """Each item with the number of its first row, counted from 1; an item's rows need not lie together."""
    _check_schema(frame.schema)
    items: dict[str, list[tuple[int, dict[str, Any]]]] = {}
    for number, row in enumerate(frame.iter_rows(named=True), start=1):
        _check_gaps(number, row)
        items.setdefault(row["item_id"], []).append((number, row))
    for item_id, rows in items.items():
        first_number, first = rows[0]
        for number, row in rows:
            if (row["adapter"], row["n_truncated"]) != (first["adapter"], first["n_truncated"]):
                raise TableUnsound(
                    f"row {number}: item {item_id} has another adapter or n_truncated than in row {first_number};"
                    " keep the predictions of one adapter"
                )
        codes = tuple(_code(number, row) for number, row in rows)
        yield first_number, ItemPrediction(item_id, codes, first["adapter"], first["n_truncated"])


def _check_schema(schema: pl.Schema) -> None:
    for name, expected in SCHEMA.items():
        if schema.get(name) != expected:
            found = schema.get(name)
            raise TableUnsound(
                f"the column “{name}” is {'missing' if found is None else found}; it has to be {expected}"
            )


def _check_gaps(number: int, row: Mapping[str, Any]) -> None:
    empty = [name for name in SCHEMA if row[name] is None]
    if empty:
        raise TableUnsound(f"row {number}: “{empty[0]}” is empty; fill it in or remove the row")


def _code(number: int, row: Mapping[str, Any]) -> CodePrediction:
    try:
        return CodePrediction(
            code_id=row["code"],
            value=row["value"],
            probabilities=tuple((each["value"], each["probability"]) for each in row["probabilities"]),
            spans=msgspec.convert(row["spans"], tuple[PredictedSpan, ...]),
            spread=row.get(SPREAD),
        )
    except msgspec.ValidationError as error:
        raise TableUnsound(f"row {number}: {error}") from error
