"""A lexicon that the user brings: what each word scores in each category, such as sentiment or joy.

Three forms are read, as CSV or with tabs: a column of words and a column of numbers for each category; `word, category`
with `score` or without; and three columns without a head, as the NRC lexicon of emotions has them (word, category, 1).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from corpus.delimited import Row, TableUnreadable, read_delimited

_WORDS = ("word", "words", "term", "lemma", "token")
_CATEGORIES, _SCORES = ("category", "emotion", "label"), ("score", "value", "weight")
MOST_CATEGORIES, MOST_WORDS = 40, 100_000


class LexiconUnreadable(ValueError):
    def __init__(self, problem: object) -> None:
        super().__init__(f"This is no lexicon: {problem} docs/report_content.md shows the forms.")


class Lexicon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`scores` of a word are in the order of `categories`, and 0 in those that it is not in."""

    name: str
    categories: tuple[str, ...]
    scores: dict[str, tuple[float, ...]]


def read_lexicon(path: Path) -> Lexicon:
    """Raises LexiconUnreadable."""
    try:
        return lexicon_of(path.read_bytes(), path.name)
    except OSError as error:
        raise LexiconUnreadable(f"{path} cannot be read.") from error


def lexicon_of(content: bytes, name: str) -> Lexicon:
    """
    >>> found = lexicon_of(b"word,joy,fear\\nsun,1,0\\nstorm,0,1\\n", "mine.csv")
    >>> found.categories, found.scores["storm"]
    (('joy', 'fear'), (0.0, 1.0))
    """
    try:
        table = read_delimited(content)
    except TableUnreadable as error:
        raise LexiconUnreadable(error) from error
    heads = [head.casefold() for head in table.header]
    if _is_score(table.header[-1]) and len(heads) == 3:
        first = Row(1, table.header)
        entries = _long((first, *table.rows), 0, 1, 2)
    elif heads[0] not in _WORDS:
        raise LexiconUnreadable(f"the first column is {table.header[0]!r} and not “word”.")
    elif len(heads) in (2, 3) and heads[1] in _CATEGORIES:
        if len(heads) == 3 and heads[2] not in _SCORES:
            raise LexiconUnreadable(f"the third column is {table.header[2]!r} and not “score”.")
        entries = _long(table.rows, 0, 1, 2 if len(heads) == 3 else None)
    else:
        entries = _wide(table.rows, table.header)
    return _lexicon(name, entries)


Entry = tuple[str, str, float]


def _long(rows: Sequence[Row], word: int, category: int, score: int | None) -> Iterator[Entry]:
    for row in rows:
        yield row.cells[word], row.cells[category], 1.0 if score is None else _number(row, score)


def _wide(rows: Sequence[Row], header: Sequence[str]) -> Iterator[Entry]:
    if len(header) < 2:
        raise LexiconUnreadable("it has words and no column of numbers.")
    for row in rows:
        for at, category in enumerate(header[1:], start=1):
            yield row.cells[0], category, _number(row, at) if row.cells[at] else 0.0


def _number(row: Row, at: int) -> float:
    if not _is_score(row.cells[at]):
        raise LexiconUnreadable(f"line {row.line}: {row.cells[at]!r} is no number.")
    return float(row.cells[at])


def _is_score(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _lexicon(name: str, entries: Iterator[Entry]) -> Lexicon:
    found: dict[str, dict[str, float]] = {}
    categories: dict[str, None] = {}
    for word, category, score in entries:
        categories[category] = None
        if score:
            found.setdefault(word.casefold(), {})[category] = score
    if not found:
        raise LexiconUnreadable("no word has a score.")
    if len(found) > MOST_WORDS:
        raise LexiconUnreadable(f"it has {len(found):,} words, and at most {MOST_WORDS:,} are taken.")
    if len(categories) > MOST_CATEGORIES:
        raise LexiconUnreadable(
            f"it has {len(categories)} categories, and at most {MOST_CATEGORIES} are taken."
        )
    return Lexicon(
        name,
        tuple(categories),
        {word: tuple(own.get(each, 0.0) for each in categories) for word, own in found.items()},
    )
