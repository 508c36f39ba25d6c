"""Samples as files: CSV that a spreadsheet opens safely, and JSON Lines."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import StringIO

from backend.design.samples.models import Sample
from backend.design.samples.selectors import EXPORT_COLUMNS, TEXT_COLUMNS, export_rows
from corpus.delimited import safe_cell


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
