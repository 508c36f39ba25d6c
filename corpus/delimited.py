"""Reads delimited files, and writes cells that a spreadsheet can open: the only place that knows their format.

`records` goes through a file of any length; `read_delimited` takes a small table as people save it, whichever delimiter
and encoding it has, and names the line of whatever is wrong.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO

_DELIMITERS = (",", ";", "\t")
_LOOKED_AT = 100_000
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

# What people call the column that says which item a row is about.
ITEM_NAMES = (
    *("item", "item_id", "itemid", "task", "task_id", "unit", "id", "uid", "#", "nr", "no"),
    *("post", "reply", "text", "doc", "document", "sentence", "subject", "case", "example", "key"),
)
_ID_NAME = re.compile(r"items|units|subjects|cases|index|.*[_ -]id")


class RecordBroken(ValueError):
    """What begins in this line is no record, mostly because of its quotation marks."""

    def __init__(self, line: int, problem: str) -> None:
        self.line, self.problem = line, problem
        super().__init__(f"Line {line}: {problem}")


class TableUnreadable(ValueError):
    """A table that cannot be read as it is; the message names the line and what to do."""


@dataclass(frozen=True, slots=True)
class Row:
    """`line` is where the row begins in the file, counted from 1."""

    line: int
    cells: tuple[str, ...]

    @property
    def is_blank(self) -> bool:
        return not any(self.cells)


@dataclass(frozen=True, slots=True)
class Table:
    """Every row has as many cells as the header; space around cells and empty lines are gone, blank rows are not."""

    header: tuple[str, ...]
    rows: tuple[Row, ...]
    delimiter: str


def records(lines: Iterable[str], delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    r"""Each record with the line that it begins in; empty lines have no cells. A cell holds 131,072 characters at most:
    an unclosed quote looks just like more.

    >>> list(records(['a,"b\n', 'c"\n', "d,e\n"]))
    [(1, ['a', 'b\nc']), (3, ['d', 'e'])]
    """
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    ended = 0
    try:
        for cells in reader:
            yield ended + 1, cells
            ended = reader.line_num
    except csv.Error as error:
        raise RecordBroken(ended + 1, str(error)) from error


def names_items(name: str) -> bool:
    """Whether people call the column of items so; that of raters may be called an id as well.

    >>> [names_items(name) for name in ("post", "Comment-ID", "Ada", "rater_id")]
    [True, True, False, True]
    """
    return name.casefold() in ITEM_NAMES or _ID_NAME.fullmatch(name.casefold()) is not None


def read_delimited(content: bytes) -> Table:
    r"""Commas, semicolons or tabs, whichever splits the first line most; UTF-8, or UTF-16 with its mark.

    >>> table = read_delimited(b"item;rater\n1;Ada\n\n2;Ben\n")
    >>> table.header, table.rows
    (('item', 'rater'), (Row(line=2, cells=('1', 'Ada')), Row(line=4, cells=('2', 'Ben'))))
    """
    text = _decode(content)
    delimiter = _delimiter(text)
    rows = _rows(text, delimiter)
    header = next((row for row in rows if not row.is_blank), None)
    if header is None:
        raise TableUnreadable("The table is empty: its first line must name the columns.")
    _check_names(header)
    return Table(header.cells, tuple(_check_row(row, header) for row in rows), delimiter)


def _decode(content: bytes) -> str:
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
    """Of two that split the first line alike, the one that cuts through no quoted cell, then the one that splits the
    second line as the first."""
    lines = [line for line in text[:_LOOKED_AT].splitlines() if line.strip()][:2]

    def fitness(delimiter: str) -> tuple[int, int, bool]:
        first, *second = (next(csv.reader([line], delimiter=delimiter), []) for line in lines)
        cut = sum(cell.count('"') % 2 for cell in first)
        return len(first), -cut, bool(second) and len(second[0]) == len(first)

    return max(_DELIMITERS, key=fitness) if lines else _DELIMITERS[0]


def _rows(text: str, delimiter: str) -> Iterator[Row]:
    try:
        for line, cells in records(StringIO(text, newline=""), delimiter):
            row = Row(line, tuple(cell.strip() for cell in cells))
            # A line of blanks between delimiters may be an item that nobody rated.
            if len(row.cells) > 1 or not row.is_blank:
                yield row
    except RecordBroken as error:
        raise TableUnreadable(f"{error}; check its quotation marks.") from error


def _check_names(header: Row) -> None:
    twice = [name for name, n in Counter(header.cells).items() if n > 1 and name]
    if twice:
        raise TableUnreadable(
            f"Line {header.line}: the column “{twice[0]}” is there twice; give each its own name."
        )


def _check_row(row: Row, header: Row) -> Row:
    if len(row.cells) != len(header.cells):
        raise TableUnreadable(
            f"Line {row.line}: {len(row.cells)} cells where the header has {len(header.cells)};"
            " put cells that hold the delimiter in quotation marks."
        )
    return row


def safe_cell(value: str | int | float | None) -> str | int | float | None:
    """A text that a spreadsheet would run as a formula gets an apostrophe in front.

    >>> safe_cell("=HYPERLINK(1)"), safe_cell("plain"), safe_cell(-1)
    ("'=HYPERLINK(1)", 'plain', -1)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value
