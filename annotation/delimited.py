"""Reads tables that people save from spreadsheets and scripts, and names the line of whatever is wrong."""

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO

_DELIMITERS = (",", ";", "\t")
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class TableUnreadable(ValueError):
    """A table that cannot be read as it is; the message names the line and what to do."""


@dataclass(frozen=True, slots=True)
class Row:
    """`line` is where the row begins in the file, counted from 1."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Every row has as many cells as the header; space around cells is gone."""

    header: tuple[str, ...]
    rows: tuple[Row, ...]


def read_table(content: bytes) -> Table:
    r"""Commas, semicolons or tabs, whichever splits the first line most; UTF-8, or UTF-16 with its mark.

    >>> read_table(b"item;rater\n1;Ada\n\n2;Ben\n")
    Table(header=('item', 'rater'), rows=(Row(line=2, cells=('1', 'Ada')), Row(line=4, cells=('2', 'Ben'))))
    """
    text = _decoded(content)
    rows = _rows(text, _delimiter(text))
    header = next(rows, None)
    if header is None:
        raise TableUnreadable("The table is empty: its first line must name the columns.")
    _check_names(header)
    return Table(header.cells, tuple(_checked(row, header) for row in rows))


def _decoded(content: bytes) -> str:
    if content.startswith(_UTF_16_MARKS):
        encoding, unit = "utf-16", "UTF-16"
    else:
        encoding, unit = "utf-8-sig", "UTF-8"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise TableUnreadable(f"Line {line}: not {unit}; save the table as “CSV UTF-8”.") from error


def _delimiter(text: str) -> str:
    lines = text.lstrip().splitlines()[:1]
    return max(_DELIMITERS, key=lambda delimiter: len(next(csv.reader(lines, delimiter=delimiter), [])))


def _rows(text: str, delimiter: str) -> Iterator[Row]:
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    ended = 0
    try:
        for cells in reader:
            row = Row(ended + 1, tuple(cell.strip() for cell in cells))
            ended = reader.line_num
            if any(row.cells):
                yield row
    except csv.Error as error:
        raise TableUnreadable(f"Line {ended + 1}: {error}; check its quotation marks.") from error


def _check_names(header: Row) -> None:
    twice = [name for name, n in Counter(header.cells).items() if n > 1 and name]
    if twice:
        raise TableUnreadable(
            f"Line {header.line}: the column “{twice[0]}” is there twice; give each its own name."
        )


def _checked(row: Row, header: Row) -> Row:
    if len(row.cells) != len(header.cells):
        raise TableUnreadable(
            f"Line {row.line}: {len(row.cells)} cells where the header has {len(header.cells)};"
            " put cells that hold the delimiter in quotation marks."
        )
    return row
