"""Cells of CSV files that a spreadsheet opens without running them."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def safe_cell(value: str | int | float | None) -> str | int | float | None:
    """A text that a spreadsheet would run as a formula gets an apostrophe in front.

    >>> safe_cell("=HYPERLINK(1)"), safe_cell("plain"), safe_cell(-1)
    ("'=HYPERLINK(1)", 'plain', -1)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value
