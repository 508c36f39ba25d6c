"""Rows of CSV, JSONL and Parquet files in batches, with the row number of whatever is wrong."""

import codecs
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
import polars as pl

from corpus.delimited import RecordBroken, records
from corpus.errors import (
    BrokenEncoding,
    BrokenRecord,
    DamagedSource,
    EmptySource,
    LineTooLong,
    MissingColumn,
    WrongFormat,
)
from corpus.lines import line_chunks
from corpus.rules import ReadLimits
from corpus.sources import ByteSource

BATCH_ROWS = 20_000
_ADVICE = "Nothing was imported. Mend the row and import again."


@dataclass(frozen=True)
class TableBatch:
    """`columns` holds text for CSV, and whatever the file holds for JSONL and Parquet."""

    first_row: int
    height: int
    columns: dict[str, list[object]]


def read_table(
    path: Path, wanted: Sequence[str], limits: ReadLimits, *, skip: int = 0, batch_rows: int = BATCH_ROWS
) -> Iterator[TableBatch]:
    """Data rows count from 1. `skip` leaves out rows that were read before."""
    kind = table_format(path)
    if kind == "parquet":
        yield from _parquet(path, wanted, limits, skip, batch_rows)
        return
    rows = _csv(path, wanted, limits) if kind == "csv" else _jsonl(path, wanted, limits)
    yield from _batches(path, rows, wanted, skip, batch_rows)


def table_format(path: Path) -> Literal["csv", "jsonl", "parquet"]:
    """Told by the ending, compression aside.

    >>> table_format(Path("pairs.csv.gz"))
    'csv'
    """
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() not in {".gz", ".zst"}]
    match suffixes[-1:]:
        case [".csv"]:
            return "csv"
        case [".jsonl" | ".ndjson"]:
            return "jsonl"
        case [".parquet"]:
            return "parquet"
    raise WrongFormat(
        path,
        "",
        "the file's ending tells no format.",
        "Use .csv, .jsonl, .ndjson (also with .gz or .zst) or .parquet.",
    )


def _batches(
    path: Path, rows: Iterator[list[object]], wanted: Sequence[str], skip: int, batch_rows: int
) -> Iterator[TableBatch]:
    batch: list[list[object]] = []
    seen = 0
    for row in rows:
        seen += 1
        if seen > skip:
            batch.append(row)
        if len(batch) == batch_rows:
            yield _batch(batch, seen, wanted)
            batch = []
    if batch:
        yield _batch(batch, seen, wanted)
    if not seen:
        raise _empty(path)


def _batch(rows: list[list[object]], seen: int, wanted: Sequence[str]) -> TableBatch:
    columns = {name: [row[index] for row in rows] for index, name in enumerate(wanted)}
    return TableBatch(seen - len(rows) + 1, len(rows), columns)


def _empty(path: Path) -> EmptySource:
    return EmptySource(path, "", "there is no row in it.", "Export it again.")


def _csv(path: Path, wanted: Sequence[str], limits: ReadLimits) -> Iterator[list[object]]:
    with ByteSource(path, limits) as source:
        found = (cells for _, cells in records(_text_lines(source, limits)))
        row = 0
        try:
            header = next(found, None)
            if header is None:
                raise _empty(path)
            places = _column_places(path, header, wanted)
            for row, cells in enumerate(found, start=1):
                if not cells:
                    continue
                if len(cells) != len(header):
                    problem = f"the row has {len(cells)} cells and the header {len(header)}."
                    raise BrokenRecord(path, f"row {row:,}", problem, _ADVICE)
                yield [cells[place] for place in places]
        except RecordBroken as error:
            problem = f"the CSV is broken ({error.problem})."
            raise BrokenRecord(path, f"row {row + 1:,}", problem, _ADVICE) from error


def _text_lines(source: ByteSource, limits: ReadLimits) -> Iterator[str]:
    for chunk in line_chunks(source, limits):
        data = chunk.data.removeprefix(codecs.BOM_UTF8) if chunk.first_line == 1 else chunk.data
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            line = chunk.first_line + data.count(b"\n", 0, error.start)
            raise BrokenEncoding(
                source.path,
                f"line {line:,}",
                "the text is not UTF-8.",
                "Nothing was imported. Save the file as UTF-8.",
            ) from error
        for line_text in text.split("\n")[: None if not text.endswith("\n") else -1]:
            yield line_text + "\n"


def _column_places(path: Path, header: Sequence[str], wanted: Sequence[str]) -> list[int]:
    _check_columns(path, header, wanted, "header")
    return [header.index(name) for name in wanted]


def _check_columns(path: Path, present: Sequence[str], wanted: Sequence[str], place: str) -> None:
    missing = [name for name in wanted if name not in present]
    if missing:
        raise MissingColumn(
            path,
            place,
            f"there is no column {', '.join(map(repr, missing))}.",
            f"Columns in the file: {_list_columns(present)}. Choose among these.",
        )


def _list_columns(columns: Sequence[str]) -> str:
    """Shortened, because a table without a header shows its first row here."""
    shown = [name if len(name) <= 40 else f"{name[:12]}…" for name in columns[:30]]
    return ", ".join(shown) + (" and more" if len(columns) > 30 else "")


def _jsonl(path: Path, wanted: Sequence[str], limits: ReadLimits) -> Iterator[list[object]]:
    decoder = msgspec.json.Decoder(dict[str, object])
    with ByteSource(path, limits) as source:
        for chunk in line_chunks(source, limits):
            data = chunk.data.removeprefix(codecs.BOM_UTF8) if chunk.first_line == 1 else chunk.data
            for number, line in enumerate(data.split(b"\n"), start=chunk.first_line):
                if not line.strip():
                    continue
                place = f"line {number:,}"
                try:
                    record = decoder.decode(line)
                except UnicodeDecodeError as error:
                    raise BrokenEncoding(path, place, "the line is not UTF-8.", _ADVICE) from error
                except (msgspec.DecodeError, RecursionError) as error:
                    raise BrokenRecord(
                        path, place, f"the line is not a JSON object ({error}).", _ADVICE
                    ) from error
                _check_columns(path, list(record), wanted, place)
                yield [record[name] for name in wanted]


def _parquet(
    path: Path, wanted: Sequence[str], limits: ReadLimits, skip: int, batch_rows: int
) -> Iterator[TableBatch]:
    try:
        frame = pl.scan_parquet(path, glob=False)
        present = frame.collect_schema().names()
        height = frame.select(pl.len()).collect().item()
        _check_columns(path, present, wanted, "schema")
        if not height:
            raise _empty(path)
        for start in range(skip, height, batch_rows):
            batch = frame.select(wanted).slice(start, batch_rows).collect()
            _check_cells(path, batch, start, limits)
            yield TableBatch(start + 1, batch.height, {name: batch[name].to_list() for name in wanted})
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DamagedSource(
            path, "", "the Parquet file cannot be read.", "Nothing was imported. Write it again."
        ) from error


def _check_cells(path: Path, batch: pl.DataFrame, start: int, limits: ReadLimits) -> None:
    """A few bytes of Parquet can hold a very long text."""
    for name, dtype in batch.schema.items():
        if dtype == pl.String:
            places = (batch[name].str.len_bytes() > limits.max_line_bytes).arg_true()
            if not places.is_empty():
                raise LineTooLong(
                    path,
                    f"row {start + int(places[0]) + 1:,}, column {name!r}",
                    f"the cell is longer than {limits.max_line_bytes:,} bytes.",
                    "Nothing was imported. Check the file, or raise max_line_bytes in the limits.",
                )
