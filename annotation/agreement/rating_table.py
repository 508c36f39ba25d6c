"""Reads ratings from a wide table: a row per item, and a column per rater, blank where somebody did not rate, or a
column per answer with how many raters gave it."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from annotation.agreement.ratings import ratings_table
from annotation.agreement.values import MeasurementLevel, Ratings
from corpus.delimited import Row, Table, TableUnreadable, names_items, read_delimited

# An unnamed first column is the row number that programs write beside a table; pandas names it when it reads it again.
_ROW_NUMBERS = re.compile(r"|unnamed: \d+")
# Of fewer rows, a rater's answers may well be all different.
_FEWEST_ROWS = 4
# What statistics programs write into gaps.
_GAPS = ("na", "nan", "n/a")
# Numbers as people write them. A leading zero or an exponent may well be part of a label, as in 007 or 1E2.
_PLAIN = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?", re.ASCII)
# How many raters gave an answer; programs write 3 as 3.0 where a column has gaps.
_COUNT = re.compile(r"(\d+)(?:\.0)?", re.ASCII)
_MOST_RATERS = 10_000
Cells = list[list[str | None]]


@dataclass(frozen=True, slots=True)
class RatingTable:
    """`labels` are the answers as they were read, `ratings` have their places; on an interval scale there are none,
    and the ratings are the numbers themselves. `remarks` say what the reader decided. Where the table counts answers,
    `knows_raters` is False: nobody knows who gave which, and the columns of `ratings` are no people."""

    ratings: Ratings
    labels: tuple[str, ...]
    remarks: tuple[str, ...]
    knows_raters: bool = True

    def label_of(self, value: float) -> str:
        return self.labels[int(value)] if self.labels else f"{value:.12g}"


def read_ratings(
    content: bytes,
    *,
    level: MeasurementLevel,
    cluster: str | None = None,
    id_column: str | None = None,
    has_id: bool = True,
    counts: bool | None = None,
) -> RatingTable:
    r"""The first column is an id if its name says so, or `id_column` names one, unless `has_id` is False. A first
    column that looks like an id and is not named as one is refused: as a rater it would spoil every number. `cluster`
    names a column of items that belong together. With `counts` a column is an answer, and a cell says how many raters
    gave it; where that is left open, a table that looks like one is refused.

    >>> table = read_ratings(b"item,Ann,Bob\n1,yes,no\n2,yes,\n", level=MeasurementLevel.NOMINAL)
    >>> table.ratings.raters, table.ratings.values.tolist(), table.labels
    (('Ann', 'Bob'), [[1.0, 0.0], [1.0, nan]], ('no', 'yes'))
    """
    table = read_delimited(content)
    cluster_at = _cluster_place(table, cluster)
    id_at = _id_place(table, id_column, has_id, cluster_at)
    has_ids = id_at is not None
    raters = [at for at in range(len(table.header)) if at not in (cluster_at, id_at)]
    _check(table, raters)
    if has_id and not has_ids:
        _refuse_unnamed_id(table, raters)
    # Spreadsheets leave rows of blanks at the end; only without ids can such a row be meant as an item.
    rows = [row for row in table.rows if not (has_ids and row.is_blank)]
    cells, n_gaps = _cells(rows, raters)
    if counts:
        for at in raters:
            if level is not MeasurementLevel.NOMINAL and _number(table.header[at], table.delimiter) is None:
                raise TableUnreadable(_no_number(1, at + 1, table.header[at], level, table.delimiter))
        cells = _count(table, rows, raters, cells)
    elif counts is None:
        _refuse_counts(cells)
    columns = range(len(cells[0]) if cells else 0) if counts else raters
    values, labels = _read(rows, columns, cells, level, table.delimiter)
    items = [str(at) if id_at is None else row.cells[id_at] for at, row in enumerate(rows, start=1)]
    ratings = ratings_table(
        values,
        raters=None if counts else [table.header[at] for at in raters],
        items=_distinct(items, rows, has_ids),
        clusters=None if cluster_at is None else _clusters(rows, cluster_at),
    )
    said = "1 cell says" if n_gaps == 1 else f"{n_gaps:,} cells say"
    remarks = (f"{said} NA, N/A or NaN: read as gaps.",) if n_gaps else ()
    return RatingTable(ratings, labels, remarks, knows_raters=not counts)


def _count(table: Table, rows: Sequence[Row], answers: Sequence[int], cells: Cells) -> Cells:
    """Every answer as often as it was given, and gaps up to the item with most of them."""
    items: list[list[str | None]] = []
    for row, counts in zip(rows, cells, strict=True):
        item: list[str | None] = []
        for at, count in zip(answers, counts, strict=True):
            if count is not None and not _COUNT.fullmatch(count):
                raise TableUnreadable(
                    f"Line {row.line}, column {at + 1}: “{count}” is no count; with --counts a cell says how many"
                    f" raters gave the answer “{table.header[at]}”."
                )
            item += [table.header[at]] * int(float(count or 0))
        items.append(item)
    most = max(map(len, items), default=0)
    if most > _MOST_RATERS:
        raise TableUnreadable(f"An item has {most:,} answers; --counts takes at most {_MOST_RATERS:,}.")
    return [item + [None] * (most - len(item)) for item in items]


def _refuse_counts(cells: Cells) -> None:
    """Whole numbers that add up to the same in every row, although the rows differ."""
    rows = {tuple(row) for row in cells}
    if len(cells) < _FEWEST_ROWS or len(rows) < 3 or len(cells[0]) < 2:
        return
    numbers = [[int(float(cell)) if cell and _COUNT.fullmatch(cell) else -1 for cell in row] for row in rows]
    if min(map(min, numbers)) < 0 or max(map(max, numbers)) < 2 or len(set(map(sum, numbers))) > 1:
        return
    raise TableUnreadable(
        f"The cells of every row add up to {sum(numbers[0])}: this looks like a table of counts, with a column"
        " for each answer. Say --counts if a cell says how many raters gave that answer, or --no-counts if columns"
        " are raters."
    )


def _id_place(table: Table, named: str | None, has_id: bool, cluster_at: int | None) -> int | None:
    if named is not None:
        if named not in table.header:
            raise TableUnreadable(f"There is no column “{named}”; the columns are {', '.join(table.header)}.")
        return table.header.index(named)
    first = next((at for at in range(len(table.header)) if at != cluster_at), None)
    if first is None or not has_id:
        return None
    name = table.header[first]
    is_number = first == 0 and _ROW_NUMBERS.fullmatch(name.casefold()) is not None
    return first if is_number or names_items(name) else None


def _refuse_unnamed_id(table: Table, raters: Sequence[int]) -> None:
    """A first column, besides the cluster, whose cells are all different and not those of the others, or that counts
    the rows. Where raters measure exactly, all cells are different: then only a count of the rows is no rater's."""
    rows = [row for row in table.rows if not row.is_blank]
    first, *others = [[row.cells[at] for row in rows] for at in raters]
    if len(rows) < _FEWEST_ROWS or not others or len(set(first)) < len(first) or not all(first):
        return
    are_exact = all(len({cell for cell in column if cell}) == sum(map(bool, column)) for column in others)
    elsewhere = {cell for column in others for cell in column}
    counts_rows = first in ([str(at) for at in range(start, start + len(first))] for start in (0, 1))
    is_unlike = 2 * sum(cell in elsewhere for cell in first) < len(first)
    if (counts_rows and is_unlike) if are_exact else (counts_rows or is_unlike):
        name = table.header[raters[0]]
        raise TableUnreadable(
            f"The first column, “{name}”, has another value in every row, unlike the others: it looks like an id and"
            f" not like a rater. Say --id {_quote(name)} if it is one, or --no-id if “{name}” is a rater."
        )


def _quote(name: str) -> str:
    return name if name.isalnum() else f"'{name}'"


def _cluster_place(table: Table, cluster: str | None) -> int | None:
    if cluster is None:
        return None
    if cluster not in table.header:
        raise TableUnreadable(f"There is no column “{cluster}”; the columns are {', '.join(table.header)}.")
    return table.header.index(cluster)


def _check(table: Table, raters: Sequence[int]) -> None:
    if not raters:
        raise TableUnreadable("Line 1: there is no column of a rater, besides an id; name one for each.")
    for at in raters:
        if not table.header[at]:
            raise TableUnreadable(f"Line 1: column {at + 1} has no name; name the rater.")


def _cells(rows: Sequence[Row], raters: Sequence[int]) -> tuple[Cells, int]:
    """The ratings, None in gaps, and how many cells name a gap in words."""
    cells: Cells = [[row.cells[at] or None for at in raters] for row in rows]
    named = [[cell is not None and cell.casefold() in _GAPS for cell in row] for row in cells]
    read: Cells = [
        [None if is_gap else cell for cell, is_gap in zip(row, gaps, strict=True)]
        for row, gaps in zip(cells, named, strict=True)
    ]
    return read, sum(map(sum, named))


def _read(
    rows: Sequence[Row], raters: Sequence[int], cells: Cells, level: MeasurementLevel, delimiter: str
) -> tuple[list[list[float | None]], tuple[str, ...]]:
    """Labels are compared as they are written; as numbers if all of them are plain ones, or if their order counts."""
    found = dict.fromkeys(cell for row in cells for cell in row if cell is not None)
    if level is MeasurementLevel.NOMINAL and not all(
        _PLAIN.fullmatch(_with_point(cell, delimiter)) for cell in found
    ):
        return _place(cells, {cell: (Decimal(0), cell) for cell in found})
    numbers = {cell: number for cell in found if (number := _number(cell, delimiter)) is not None}
    if level is MeasurementLevel.INTERVAL:
        numbers = {cell: number for cell, number in numbers.items() if math.isfinite(float(number))}
    for row, ratings in zip(rows, cells, strict=True):
        for at, cell in zip(raters, ratings, strict=True):
            if cell is not None and cell not in numbers:
                raise TableUnreadable(_no_number(row.line, at + 1, cell, level, delimiter))
    if level is MeasurementLevel.INTERVAL:
        return [[None if cell is None else float(numbers[cell]) for cell in row] for row in cells], ()
    return _place(cells, {cell: (number, "") for cell, number in numbers.items()})


def _place(
    cells: Cells, keys: dict[str, tuple[Decimal, str]]
) -> tuple[list[list[float | None]], tuple[str, ...]]:
    """Places in the order of the keys; cells with one key share the label that was read first."""
    labels: dict[tuple[Decimal, str], str] = {}
    for cell, key in keys.items():
        labels.setdefault(key, cell)
    places = {key: float(at) for at, key in enumerate(sorted(labels))}
    values = [[None if cell is None else places[keys[cell]] for cell in row] for row in cells]
    return values, tuple(labels[key] for key in places)


def _with_point(cell: str, delimiter: str) -> str:
    """A comma is a decimal comma, except between commas, where it may as well divide thousands."""
    return cell if delimiter == "," else cell.replace(",", ".")


def _number(cell: str, delimiter: str) -> Decimal | None:
    try:
        number = Decimal(_with_point(cell, delimiter))
    except InvalidOperation:
        return None
    return number if "_" not in cell and number.is_finite() else None


def _no_number(line: int, column: int, cell: str, level: MeasurementLevel, delimiter: str) -> str:
    where = f"Line {line}, column {column}: “{cell}” is no number"
    if _number(cell, ";") is not None and delimiter == ",":
        return f"{where} in a table with commas between cells; write a decimal point, and no sign between thousands."
    return (
        f"{where}, and --level {level.value} needs numbers; replace the words by numbers in their order, or use"
        " --level nominal."
    )


def _distinct(items: list[str], rows: Sequence[Row], has_ids: bool) -> list[str]:
    lines: dict[str, int] = {}
    for item, row in zip(items, rows, strict=True):
        if has_ids and not item:
            raise TableUnreadable(f"Line {row.line}: the id is missing; fill it in or remove the line.")
        if item in lines:
            raise TableUnreadable(
                f"Lines {lines[item]} and {row.line}: the id “{item}” is there twice; give each item one line."
            )
        lines[item] = row.line
    return items


def _clusters(rows: Sequence[Row], at: int) -> list[str]:
    for row in rows:
        if not row.cells[at]:
            raise TableUnreadable(f"Line {row.line}: the cluster is missing; fill it in or remove the line.")
    return [row.cells[at] for row in rows]
