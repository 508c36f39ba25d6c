"""Turns table cells into typed values, or says which row does not fit."""

import math
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from corpus.errors import WrongType
from corpus.tables import TableBatch

T = TypeVar("T")


def text_cells(path: Path, batch: TableBatch, column: str | None) -> list[str | None]:
    """Numbers are taken as they are written, because ids are often numbers; an empty cell is None."""
    return _cells(path, batch, column, _text, "text")


def whole_cells(path: Path, batch: TableBatch, column: str | None) -> list[int | None]:
    """Also where they are written as 1.0, as spreadsheets and pandas do in columns with empty cells."""
    return _cells(path, batch, column, _whole, "a whole number")


def time_cells(path: Path, batch: TableBatch, column: str | None) -> list[datetime | None]:
    return _cells(path, batch, column, _time, "a time (ISO 8601, or seconds since 1970)")


def _cells(
    path: Path, batch: TableBatch, column: str | None, convert: Callable[[object], T | None], meaning: str
) -> list[T | None]:
    if column is None:
        return [None] * batch.height
    values: list[T | None] = []
    for row, cell in enumerate(batch.columns[column], start=batch.first_row):
        try:
            values.append(None if _is_empty(cell) else convert(cell))
        except (ValueError, OverflowError) as error:
            raise WrongType(
                path,
                f"row {row:,}, column {column!r}",
                f"the cell is not {meaning}.",
                "Nothing was imported.",
            ) from error
    return values


def _is_empty(cell: object) -> bool:
    return cell is None or cell == "" or (isinstance(cell, float) and math.isnan(cell))


def _text(cell: object) -> str:
    if isinstance(cell, bool) or not isinstance(cell, str | int):
        raise ValueError
    return str(cell)


def _whole(cell: object) -> int | None:
    if isinstance(cell, bool) or not isinstance(cell, str | int | float):
        raise ValueError
    number = _number(cell) if isinstance(cell, str) else cell
    if _is_empty(number):
        return None
    if isinstance(number, float) and not number.is_integer():
        raise ValueError
    if not -(2**63) <= number < 2**63:
        raise OverflowError
    return int(number)


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)


def _time(cell: object) -> datetime:
    if isinstance(cell, datetime):
        return cell if cell.tzinfo else cell.replace(tzinfo=UTC)
    if isinstance(cell, int | float) or (isinstance(cell, str) and cell.replace(".", "", 1).isdigit()):
        return datetime.fromtimestamp(float(cell), UTC)
    if not isinstance(cell, str):
        raise ValueError
    moment = datetime.fromisoformat(cell)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
