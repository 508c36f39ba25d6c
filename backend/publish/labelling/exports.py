"""What a finished run has labelled, to look at and to take away: counts by code, one CSV, or the Parquet files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from backend.core.web.zips import zip_pieces
from backend.design.codebooks.selectors import codebook_of
from backend.publish.labelling.models import LabellingRun

if TYPE_CHECKING:
    import polars as pl

CSV_COLUMNS = (
    *("item_id", "part", "platform", "community", "post_id", "reply_id"),
    *("code", "value", "probability", "spans", "adapter", "n_truncated"),
)


@dataclass(frozen=True, slots=True)
class AnswerCount:
    label: str
    n: int
    share: float


@dataclass(frozen=True, slots=True)
class CodeCount:
    """How often the model gave each answer to a code."""

    code: str
    name: str
    part: str
    n: int
    answers: tuple[AnswerCount, ...]


def label_counts(run: LabellingRun) -> list[CodeCount]:
    """In the codebook's order; counted once for each state of the labels."""
    counted = _count(run.folder, run.output_hash)
    found = []
    for question, code in codebook_of(run.edition).coded_questions():
        for part in sorted({part for part, code_id, _ in counted if code_id == code.id}):
            own = {
                value: n for (of, code_id, value), n in counted.items() if (of, code_id) == (part, code.id)
            }
            n = sum(own.values())
            answers = tuple(
                AnswerCount(question.label_of(value), own[value], own[value] / n)
                for value in sorted(own, reverse=True)
            )
            found.append(CodeCount(code.id, code.name, part, n, answers))
    return found


@lru_cache(maxsize=16)
def _count(folder: Path, output_hash: str) -> dict[tuple[str, str, int], int]:
    import polars as pl

    from learning.labelling.read import scan_labels

    rows = scan_labels(folder).group_by("part", "code", "value").agg(pl.len()).collect().iter_rows()
    return {(part, code, value): n for part, code, value, n in rows}


def csv_pieces(run: LabellingRun) -> Iterator[bytes]:
    """A row for each text and code, shard by shard, so that a large corpus is never in memory whole."""
    import polars as pl

    from learning.labelling.read import LABEL_SCHEMA, scan_units

    units = scan_units(run.folder)
    for at, shard in enumerate(sorted(run.files.written_shards())):
        labels = pl.scan_parquet(run.files.labels_of(shard), schema=LABEL_SCHEMA, glob=False)
        of_shard = units.filter(pl.col("shard") == shard)
        rows = labels.join(of_shard, on=["item_id", "part"], how="left", maintain_order="left").collect()
        table = rows.with_columns(_probability(rows), _spans(rows["spans"])).select(CSV_COLUMNS)
        yield table.write_csv(include_header=at == 0).encode()


def _probability(rows: pl.DataFrame) -> pl.Series:
    """Of the answer that was given; empty where the model gives none."""
    import polars as pl

    given = zip(rows["value"].to_list(), rows["probabilities"].to_list(), strict=True)
    found = [
        next((each["probability"] for each in chances if each["value"] == value), None)
        for value, chances in given
    ]
    return pl.Series("probability", found, dtype=pl.Float64)


def _spans(spans: pl.Series) -> pl.Series:
    import msgspec
    import polars as pl

    return pl.Series(
        "spans", [msgspec.json.encode(each).decode() for each in spans.to_list()], dtype=pl.String
    )


def parquet_pieces(run: LabellingRun) -> Iterator[bytes]:
    """The files as they lie there, with the manifest that proves them."""
    names = sorted(
        path.relative_to(run.folder).as_posix() for path in run.folder.rglob("*") if path.is_file()
    )
    return zip_pieces(run.folder, names, f"labels-{run.study.slug}-{run.number}")
