"""Cells as spreadsheets and pandas write them."""

from __future__ import annotations

import math
from pathlib import Path

import polars as pl
import pytest

from corpus.cells import text_cells, whole_cells
from corpus.errors import WrongType
from corpus.rules import ReadLimits
from corpus.tables import TableBatch, read_table

PATH = Path("labels.csv")


def wholes(*cells: object) -> list[int | None]:
    return whole_cells(PATH, TableBatch(1, len(cells), {"level": list(cells)}), "level")


def test_whole_numbers_are_taken_however_they_are_written() -> None:
    assert wholes(1, "1", "1.0", 2.0, "-3.0", "2e0") == [1, 1, 1, 2, -3, 2]
    assert wholes("9007199254740993", 2**63 - 1) == [9007199254740993, 2**63 - 1]


def test_cells_without_a_number_are_empty() -> None:
    assert wholes(None, "", math.nan, "nan", "NaN") == [None] * 5
    batch = TableBatch(1, 2, {"why": [math.nan, "nan"]})
    assert text_cells(PATH, batch, "why") == [None, "nan"]


@pytest.mark.parametrize("cell", ["1.5", 1.5, "inf", math.inf, True, "one", [1], 2**63, "1e30", 1e30])
def test_what_is_no_whole_number_is_named(cell: object) -> None:
    with pytest.raises(WrongType, match="row 1, column 'level': the cell is not a whole number"):
        wholes(cell)


def test_a_parquet_column_of_floats_is_read(tmp_path: Path) -> None:
    path = tmp_path / "labels.parquet"
    pl.DataFrame({"level": [1.0, math.nan, None, 2.0]}).write_parquet(path)
    (batch,) = read_table(path, ["level"], ReadLimits())
    assert whole_cells(path, batch, "level") == [1, None, None, 2]
