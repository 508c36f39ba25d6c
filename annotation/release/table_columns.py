"""Guesses which columns of a labelled table hold texts, ids, labels and features; what is not sure stays open."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from annotation.release.table_items import ANNOTATORS, LabelColumn, TextColumns
from codebook.schema import AnswerKind, Codebook, Part
from corpus.column_roles import guess_pair_columns
from corpus.rules import ReadLimits
from corpus.table_columns import table_head
from corpus.tables import TableBatch, read_table

GROUPS, ITEMS, PARTS = ("group", "conversation", "dialogue", "thread"), ("item", "item_id"), ("split",)
FEATURES, SPEAKERS = ("emotion",), ("speakers", "speaker")
REPLIES = ("reply", "response", "target")


class ColumnUnsure(ValueError):
    def __init__(self, option: str, what: str, columns: Iterable[str]) -> None:
        super().__init__(f"No column is surely {what}: name it with {option}. Columns: {', '.join(columns)}.")


class TableShape:
    """The first rows of a table, and what of its columns is sure."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.head: TableBatch = table_head(path, ReadLimits())
        self.names = list(self.head.columns)
        self.marks = [name for name in self.names if self._mostly(name, looks_like_marks)]
        self.lists = [name for name in self.names if self._mostly(name, looks_like_texts)]
        self._plain = {name.casefold(): name for name in reversed(self.names)}

    def text_columns(self, given: TextColumns, part: Part) -> TextColumns:
        """What is given stays as it is. `part` is what the codebook judges."""
        found = given if given.post or given.reply else self._texts(given, part)
        item = None if found.reply_id else self._sure(found, ITEMS)
        annotator = found.annotator or self._sure(found, ANNOTATORS)
        in_sentences = {found.post, found.reply} & set(self.lists)
        return replace(
            found,
            lists=frozenset(self.lists),
            group=found.group or (None if found.post_id else self._sure(found, GROUPS)),
            item=found.item or (item if item and self._is_unique(item, annotator) else None),
            annotator=annotator,
            part=found.part or self._sure(found, PARTS),
            speakers=found.speakers or self._sure(found, SPEAKERS, self.lists),
            features=found.features or tuple(self._features(found) if in_sentences else ()),
        )

    def _sure(self, taken: TextColumns, names: Sequence[str], among: Sequence[str] = ()) -> str | None:
        found = (self._plain[name] for name in names if name in self._plain)
        return next(
            (each for each in found if each in (among or self.names) and each not in taken.names()), None
        )

    def _features(self, taken: TextColumns) -> list[str]:
        found = (self._sure(taken, (name,)) for name in FEATURES)
        return [name for name in found if name and name not in self.lists]

    def _texts(self, given: TextColumns, part: Part) -> TextColumns:
        """A list of sentences is what is judged by sentence; “text” is what is judged, and “context” what comes
        before it."""
        replies = [self._plain[name] for name in REPLIES if name in self._plain]
        lists = [name for name in self.lists if name not in replies and name.casefold() not in SPEAKERS]
        guessed = guess_pair_columns(self.path, self.head)
        if len(lists) == 1:
            others = [name for name in (*replies, guessed.get("reply_text")) if name and name != lists[0]]
            return replace(given, post=lists[0], reply=others[0] if others else None)
        if "text" in self._plain:
            return self._text_and_context(given, part)
        if "post_text" not in guessed:
            raise ColumnUnsure("--post-column", "that of the posts", self.names)
        return replace(
            given,
            post=guessed["post_text"],
            reply=guessed.get("reply_text"),
            title=given.title or guessed.get("title"),
            post_id=given.post_id or guessed.get("post_id"),
            reply_id=given.reply_id or guessed.get("reply_id"),
        )

    def _text_and_context(self, given: TextColumns, part: Part) -> TextColumns:
        if part is Part.POST:
            return replace(given, post=self._plain["text"])
        return replace(given, post=self._context(), reply=self._plain["text"])

    def judged_part(self) -> Part:
        """Where no codebook says it: a text with a context is a reply to it."""
        is_reply = not self.lists and "text" in self._plain and self._context() is not None
        return Part.REPLY if is_reply else Part.POST

    def _context(self) -> str | None:
        """Not one that is empty throughout."""
        name = self._plain.get("context")
        has_words = name is not None and any(
            isinstance(cell, str) and cell.strip() for cell in self._cells(name)
        )
        return name if has_words else None

    def _is_unique(self, column: str, annotator: str | None) -> bool:
        """Of the rows of one annotator, where the table names them."""
        cells = list(self._cells(column))
        people = list(self._cells(annotator)) if annotator else [None] * len(cells)
        named = {(str(cell), str(who)) for cell, who in zip(cells, people, strict=True)}
        return len(named) == len(cells) and all(cell not in (None, "") for cell in cells)

    def _cells(self, column: str) -> Iterator[object]:
        return chain.from_iterable(
            batch.columns[column] for batch in read_table(self.path, [column], ReadLimits())
        )

    def label_columns(self, codebook: Codebook, given: Sequence[LabelColumn]) -> list[LabelColumn]:
        """Those given, told whether they are marks. If none are, the one column of marks answers the one code that
        asks for sentences, and columns answer the codes whose names they have."""
        if given:
            return [
                replace(each, is_marks=each.path == self.path and each.value in self.marks) for each in given
            ]
        asked = {code.id: question.answer for question, code in codebook.coded_questions()}
        by_sentence = [code for code, answer in asked.items() if answer is AnswerKind.SENTENCES]
        plain = {name.replace("_", "-").replace(" ", "-"): each for name, each in self._plain.items()}
        found = [LabelColumn(code, self.path, plain[code]) for code in asked if code in plain]
        if not found and len(by_sentence) == len(self.marks) == 1:
            found = [LabelColumn(by_sentence[0], self.path, self.marks[0])]
        if not found:
            raise ColumnUnsure("--label CODE=COLUMN", f"that of a code ({', '.join(asked)})", self.names)
        return [replace(each, is_marks=each.value in self.marks) for each in found]

    def _mostly(self, column: str, looks: Callable[[object], bool]) -> bool:
        """Whether more than half of the cells that are not empty look so: of one that is broken, reading tells."""
        cells = [cell for cell in self.head.columns[column] if cell not in (None, "")]
        return sum(map(looks, cells)) * 2 > len(cells)


def looks_like_texts(cell: object) -> bool:
    """
    >>> looks_like_texts('["It hurt.",'), looks_like_texts("[0, 1]"), looks_like_texts("[removed]")
    (True, False, False)
    """
    if isinstance(cell, list | tuple):
        return any(isinstance(each, str) for each in cell)
    return isinstance(cell, str) and cell.replace(" ", "")[:2] in ('["', "['")


def looks_like_marks(cell: object) -> bool:
    """
    >>> looks_like_marks("[0, 1]"), looks_like_marks("[]"), looks_like_marks("1")
    (True, True, False)
    """
    if isinstance(cell, list | tuple):
        return not looks_like_texts(cell)
    return isinstance(cell, str) and cell.lstrip()[:1] == "[" and not looks_like_texts(cell)
