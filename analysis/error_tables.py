"""Errors as a table: without their words unless these are asked for, since texts are sensitive."""

import csv
from collections.abc import Collection, Iterable, Mapping
from io import StringIO

from analysis.error_analysis import CodeErrors, ModelError, Quote
from analysis.error_tags import ErrorTag
from corpus.delimited import safe_cell

_COLUMNS = (
    "code",
    "part",
    "kind",
    "item",
    "probability",
    "gold",
    "model",
    "gold_words",
    "model_words",
    "tags",
)


def csv_errors(
    errors: Iterable[CodeErrors],
    tags: Mapping[tuple[str, str], Collection[ErrorTag]],
    *,
    with_words: bool = False,
) -> str:
    """Places as start-end; with words, these in their stead. Safe to open in a spreadsheet."""
    written = StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for code in errors:
        for error in code.errors:
            put = sorted(tag.value for tag in tags.get((error.item_id, error.code), ()))
            rows.writerow([safe_cell(cell) for cell in (*_cells(error, with_words), "; ".join(put))])
    return written.getvalue()


def _cells(error: ModelError, with_words: bool) -> tuple[str | int | float | None, ...]:
    quotes = (_show(error.gold, with_words), _show(error.model, with_words))
    about = (error.code, error.part.value, error.kind.value, error.item_id, error.probability)
    return (*about, error.gold_value, error.model_value, *quotes)


def _show(quotes: Iterable[Quote], with_words: bool) -> str:
    """
    >>> _show([Quote(0, 3, "sad"), Quote(7, 9, "so")], True), _show([Quote(0, 3, "sad")], False)
    ('sad … so', '0-3')
    """
    if with_words:
        return " … ".join(quote.words or f"{quote.start}-{quote.end}" for quote in quotes)
    return " ".join(f"{quote.start}-{quote.end}" for quote in quotes)
