"""The columns of a table, so that a form can offer them for the mapping."""

import codecs
import csv
from pathlib import Path

import msgspec
import polars as pl

from corpus.errors import BrokenRecord, DamagedSource, EmptySource
from corpus.lines import line_chunks
from corpus.rules import ReadLimits
from corpus.sources import ByteSource
from corpus.tables import table_format


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
            return next(csv.reader(first.decode().splitlines(keepends=True)), [])
        return list(msgspec.json.decode(first.split(b"\n", 1)[0], type=dict[str, object]))
    except (UnicodeDecodeError, csv.Error, msgspec.DecodeError, RecursionError) as error:
        raise BrokenRecord(
            path, "line 1", f"it cannot be read ({error}).", "Mend it and try again."
        ) from error


def _first_lines(path: Path, limits: ReadLimits) -> bytes:
    with ByteSource(path, limits) as source:
        for chunk in line_chunks(source, limits):
            return chunk.data.removeprefix(codecs.BOM_UTF8).lstrip()
    raise EmptySource(path, "", "there is no row in it.", "Export it again.")
