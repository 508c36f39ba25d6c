"""Samples as files: CSV that a spreadsheet opens safely, and JSON Lines."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import StringIO

from backend.samples.models import Sample
from backend.samples.selectors import EXPORT_COLUMNS, TEXT_COLUMNS, export_rows

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def csv_lines(sample: Sample, *, with_text: bool) -> Iterator[str]:
    columns = EXPORT_COLUMNS + (TEXT_COLUMNS if with_text else ())
    buffer = StringIO()
    writer = csv.DictWriter(buffer, columns)
    writer.writeheader()
    for row in export_rows(sample, with_text=with_text):
        writer.writerow({name: safe_cell(value) for name, value in row.items()})
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def json_lines(sample: Sample, *, with_text: bool) -> Iterator[str]:
    for row in export_rows(sample, with_text=with_text):
        yield json.dumps(row, ensure_ascii=False) + "\n"


def safe_cell(value: str | int | float | None) -> str | int | float | None:
    """A text that a spreadsheet would run as a formula gets an apostrophe in front.

    >>> safe_cell("=HYPERLINK(1)"), safe_cell("plain"), safe_cell(-1)
    ("'=HYPERLINK(1)", 'plain', -1)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value
