"""The columns and first rows of a table, so that a form can offer and show them."""

import codecs
from itertools import islice
from pathlib import Path

import msgspec
import polars as pl

from corpus.delimited import RecordBroken, records
from corpus.errors import BrokenRecord, DamagedSource, EmptySource, InputError
from corpus.lines import line_chunks
from corpus.rules import ReadLimits
from corpus.sources import ByteSource
from corpus.tables import TableBatch, read_table, table_format

HEAD_ROWS = 100


def table_columns(path: Path, limits: ReadLimits) -> list[str]:
    """Of JSONL, those of its first record."""
    kind = table_format(path)
    if kind == "parquet":
        try:
            return pl.scan_parquet(path, glob=False).collect_schema().names()
        except (pl.exceptions.PolarsError, OSError) as error:
            raise DamagedSource(path, "", "the Parquet file cannot be read.", "Write it again.") from error
    first = _first_lines(path, limits)
    try:
        if kind == "csv":
            return next((cells for _, cells in records(first.decode().splitlines(keepends=True))), [])
        return list(msgspec.json.decode(first.split(b"\n", 1)[0], type=dict[str, object]))
    except (UnicodeDecodeError, RecordBroken, msgspec.DecodeError, RecursionError) as error:
        raise BrokenRecord(
            path, "line 1", f"it cannot be read ({error}).", "Mend it and try again."
        ) from error


def table_head(path: Path, limits: ReadLimits, rows: int = HEAD_ROWS) -> TableBatch:
    """Its first rows with all columns, up to one that is broken: the import itself tells about that one."""
    names = table_columns(path, limits)
    columns: dict[str, list[object]] = {name: [] for name in names}
    height = 0
    try:
        for batch in islice(read_table(path, names, limits, batch_rows=1), rows):
            height += 1
            for name in names:
                columns[name] += batch.columns[name]
    except InputError:
        if not height:
            raise
    return TableBatch(1, height, columns)


def _first_lines(path: Path, limits: ReadLimits) -> bytes:
    with ByteSource(path, limits) as source:
        for chunk in line_chunks(source, limits):
            return chunk.data.removeprefix(codecs.BOM_UTF8).lstrip()
    raise EmptySource(path, "", "there is no row in it.", "Export it again.")
