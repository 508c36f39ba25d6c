"""What every reader does to a text: recognise one that is gone, and hide the names in it."""

import polars as pl

from corpus.pseudonyms import MENTION_MARKS, Pseudonyms

REMOVED = r"(?i)^\s*\[\s*(?:removed|deleted)(?:\s+by\s+[^\]\n]{1,60})?\s*\]\s*$"


def is_removed(text: pl.Expr) -> pl.Expr:
    """Whether a text is nothing but the platform's mark that it was taken away."""
    return text.str.contains(REMOVED)


def hide_mentions(frame: pl.DataFrame, column: str, pseudonyms: Pseudonyms) -> pl.DataFrame:
    """Only the few texts that may hold a mention leave Polars."""
    suspects = (
        frame[column].str.contains_any(list(MENTION_MARKS), ascii_case_insensitive=True).fill_null(False)
    )
    places = suspects.arg_true()
    if places.is_empty():
        return frame
    hidden = [pseudonyms.hide_mentions(text) for text in frame[column].gather(places)]
    return frame.with_columns(frame[column].scatter(places, hidden))
