"""Labels of whole items beside formats that have a place for marked words alone."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from annotation.exchange.documents import values_of
from annotation.release.rows import ReleaseRow
from corpus.delimited import safe_cell


def label_table(codes: Sequence[str], rows: Iterable[ReleaseRow]) -> bytes:
    """A row for each item, a column for each code, empty where there is no label; and the part of the split."""
    written = StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(("item", "split", *codes))
    for row in rows:
        values = values_of(row)
        table.writerow(
            (safe_cell(row.item.item_id), row.split.value, *(values.get(code, "") for code in codes))
        )
    return written.getvalue().encode()
