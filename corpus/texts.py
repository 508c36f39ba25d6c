"""What every reader does to a text: recognise one that is gone, and hide the names in it."""

from collections.abc import Iterable
from hashlib import blake2b

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


_WHITE_SPACE = b" \t\n\r\x0b\x0c"


def text_digest(text: str) -> bytes:
    """White space is taken out rather than evened out: as good for finding copies, and many times faster."""
    return blake2b(text.lower().encode().translate(None, _WHITE_SPACE), digest_size=16).digest()


def post_digests(titles: Iterable[str | None], texts: Iterable[str | None]) -> pl.Series:
    """Null where a post has no text any more because it was dropped."""
    return pl.Series(
        "digest",
        [
            None if title is None or text is None else text_digest(f"{title}\x00{text}")
            for title, text in zip(titles, texts, strict=True)
        ],
        dtype=pl.Binary,
    )
