"""What a cell of a labelled table says: a list of sentences, a list of marks on them, or an answer in words or numbers.

Lists are JSON in CSV files, and may be written as Python writes them, because pandas saves them so.
"""

import ast
import json
import re
from collections.abc import Sequence

from annotation.answers import SentenceList
from annotation.release.rows import SplitPart
from codebook.schema import AnswerKind, Question

_SPEAKER = re.compile(r"(\w[\w .-]{0,19}): ")
_PARTS = {
    "train": SplitPart.TRAIN,
    "training": SplitPart.TRAIN,
    "validation": SplitPart.VALIDATION,
    "valid": SplitPart.VALIDATION,
    "val": SplitPart.VALIDATION,
    "dev": SplitPart.VALIDATION,
    "test": SplitPart.TEST,
}
_WORDS_OF_TICKS = {"yes": 1, "true": 1, "no": 0, "false": 0}


class CellUnreadable(ValueError):
    """The message ends a sentence that begins with the place of the cell."""


def read_list(cell: object) -> list[object]:
    """
    >>> read_list('["It hurt.", "Why?"]'), read_list("['It hurt.', 'Why?']")
    (['It hurt.', 'Why?'], ['It hurt.', 'Why?'])
    """
    if isinstance(cell, list | tuple):
        return list(cell)
    if not isinstance(cell, str):
        raise CellUnreadable("the cell is not a list in JSON.")
    try:
        found = json.loads(cell)
    except (json.JSONDecodeError, RecursionError):
        found = _python_list(cell)
    if not isinstance(found, list):
        raise CellUnreadable("the cell is not a list in JSON.")
    return found


def _python_list(cell: str) -> object:
    try:
        return ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise CellUnreadable("the cell is not a list in JSON.") from error


def read_texts(cell: object) -> tuple[str, ...]:
    """One text for each sentence. One without words would have no place in the text."""
    found = read_list(cell)
    for number, each in enumerate(found, start=1):
        if not isinstance(each, str):
            raise CellUnreadable(f"element {number} of the list is no text.")
        if not each.strip():
            raise CellUnreadable(f"element {number} of the list has no words.")
    return tuple(str(each) for each in found)


def read_marks(cell: object) -> tuple[int, ...]:
    """
    >>> read_marks("[0, 1, true]")
    Traceback (most recent call last):
    annotation.release.table_cells.CellUnreadable: element 3 of the list is neither 0 nor 1.
    """
    found = read_list(cell)
    marks = []
    for number, each in enumerate(found, start=1):
        if isinstance(each, bool) or each not in (0, 1, 0.0, 1.0, "0", "1"):
            raise CellUnreadable(f"element {number} of the list is neither 0 nor 1.")
        marks.append(int(float(str(each))))
    return tuple(marks)


def read_part(cell: str | None) -> SplitPart:
    """
    >>> read_part("dev").value
    'validation'
    """
    found = _PARTS.get((cell or "").strip().casefold())
    if found is None:
        raise CellUnreadable(f"{(cell or '')[:40]!r} is no part of a split: write train, validation or test.")
    return found


def join_sentences(texts: Sequence[str]) -> tuple[str, SentenceList]:
    """One text with a line for each sentence. Where all begin with a name and a colon, those are their speakers.

    >>> join_sentences(["A: I fell.", "B: Oh no."])[1].features
    {'speaker': ('A', 'B')}
    """
    places, at = [], 0
    for each in texts:
        words = each.strip()
        start = at + each.index(words)
        places.append((start, start + len(words)))
        at += len(each) + 1
    speakers = [_SPEAKER.match(each.strip()) for each in texts]
    named = tuple(found[1] for found in speakers if found)
    features = {"speaker": named} if named and len(named) == len(texts) else {}
    return "\n".join(texts), SentenceList(tuple(places), features)


def read_value(question: Question, cell: object) -> int | None:
    """A whole number, or the label of a level, or yes and no; a rating between two levels is the nearer one, and the
    even one of two that are equally near. None where there is no answer."""
    if cell is None or cell != cell or (isinstance(cell, str) and not cell.strip()):
        return None
    if isinstance(cell, bool):
        return int(cell)
    number = _number(cell)
    if number is not None:
        if number.is_integer():
            return int(number)
        if question.answer is AnswerKind.SCALE:
            return round(number)
        raise CellUnreadable("the cell is not a whole number.")
    word = str(cell).strip().casefold()
    by_label = {level.label.casefold(): level.value for level in question.levels}
    words = by_label if question.answer.has_levels else _WORDS_OF_TICKS
    if word not in words:
        raise CellUnreadable("the cell is not a whole number, and not the label of a level.")
    return words[word]


def is_rounded(cell: object) -> bool:
    number = _number(cell)
    return number is not None and not number.is_integer()


def _number(cell: object) -> float | None:
    if not isinstance(cell, str | int | float):
        return None
    try:
        found = float(cell)
    except (ValueError, OverflowError):
        return None
    return found if found == found and abs(found) < 2**53 else None
