"""Reads ratings from a wide table: a row per item, a column per rater, blank where somebody did not rate."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from annotation.agreement.ratings import ratings_table
from annotation.agreement.values import MeasurementLevel, Ratings
from annotation.delimited import Row, Table, TableUnreadable, read_table

# An unnamed first column is the row number that programs write beside a table.
_ID_NAMES = ("", "id", "item", "items", "itemid", "unit", "units", "subject", "subjects", "case", "index")
_ID_ENDINGS = ("_id", "-id", " id")
# What statistics programs write into the gaps of columns of numbers; among words it may be an answer.
_GAPS_AMONG_NUMBERS = ("na", "nan", "n/a")


@dataclass(frozen=True, slots=True)
class RatingTable:
    """`labels` has the words that the numbers in `ratings` stand for, empty if they are numbers themselves."""

    ratings: Ratings
    labels: tuple[str, ...]

    def label_of(self, value: float) -> str:
        return self.labels[int(value)] if self.labels else f"{value:.12g}"


def read_ratings(content: bytes, *, level: MeasurementLevel, cluster: str | None = None) -> RatingTable:
    r"""The first column is an id if its name says so; `cluster` names a column of items that belong together.

    >>> table = read_ratings(b"item,Ann,Bob\n1,yes,no\n2,yes,\n", level=MeasurementLevel.NOMINAL)
    >>> table.ratings.raters, table.ratings.values.tolist(), table.labels
    (('Ann', 'Bob'), [[1.0, 0.0], [1.0, nan]], ('no', 'yes'))
    """
    table = read_table(content)
    cluster_at = _cluster_place(table, cluster)
    has_ids = _is_id(table.header[0]) and cluster_at != 0
    raters = [at for at in range(len(table.header)) if at != cluster_at and not (has_ids and at == 0)]
    _check(table, raters)
    cells = [[row.cells[at] or None for at in raters] for row in table.rows]
    numbers = _numbers(cells)
    labels: tuple[str, ...] = ()
    if numbers is None:
        _check_numbers(table.rows, raters, cells, level)
        numbers, labels = _numbered(cells)
    items = [row.cells[0] if has_ids else str(at) for at, row in enumerate(table.rows, start=1)]
    ratings = ratings_table(
        numbers,
        raters=[table.header[at] for at in raters],
        items=_distinct(items, table.rows, has_ids),
        clusters=None if cluster_at is None else _clusters(table.rows, cluster_at),
    )
    return RatingTable(ratings, labels)


def _cluster_place(table: Table, cluster: str | None) -> int | None:
    if cluster is None:
        return None
    if cluster not in table.header:
        raise TableUnreadable(f"There is no column “{cluster}”; the columns are {', '.join(table.header)}.")
    return table.header.index(cluster)


def _check(table: Table, raters: Sequence[int]) -> None:
    if len(raters) < 2:
        raise TableUnreadable(
            f"Line 1: agreement needs a column for each of at least two raters, besides an id; here is {len(raters)}."
        )
    for at in raters:
        if not table.header[at]:
            raise TableUnreadable(f"Line 1: column {at + 1} has no name; name the rater.")
    if not table.rows:
        raise TableUnreadable("The table has a header but no ratings: give each item a line.")


def _is_id(name: str) -> bool:
    return name.casefold() in _ID_NAMES or name.casefold().endswith(_ID_ENDINGS)


def _numbers(cells: list[list[str | None]]) -> list[list[float | None]] | None:
    """All ratings as numbers, None if one is a word."""
    try:
        return [[_number(cell) for cell in row] for row in cells]
    except ValueError:
        return None


def _number(cell: str | None) -> float | None:
    """A comma is a decimal comma, as in tables with semicolons."""
    if cell is None or cell.casefold() in _GAPS_AMONG_NUMBERS:
        return None
    number = float(cell.replace(",", "."))
    if not math.isfinite(number) or "_" in cell:
        raise ValueError
    return number


def _numbered(cells: list[list[str | None]]) -> tuple[list[list[float | None]], tuple[str, ...]]:
    """Words as the numbers of their places among all words."""
    labels = tuple(sorted({cell for row in cells for cell in row if cell is not None}))
    places = {label: float(at) for at, label in enumerate(labels)}
    return [[None if cell is None else places[cell] for cell in row] for row in cells], labels


def _check_numbers(
    rows: Sequence[Row], raters: Sequence[int], cells: list[list[str | None]], level: MeasurementLevel
) -> None:
    if level is MeasurementLevel.NOMINAL:
        return
    for row, ratings in zip(rows, cells, strict=True):
        for at, cell in zip(raters, ratings, strict=True):
            if cell is not None and _numbers([[cell]]) is None:
                raise TableUnreadable(
                    f"Line {row.line}, column {at + 1}: “{cell}” is no number, and --level {level.value} needs"
                    " numbers; replace the words by numbers in their order, or use --level nominal."
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
