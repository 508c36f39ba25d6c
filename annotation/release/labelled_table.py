"""Reads labelled pairs from tables: texts, labels by code, and the words behind them as quotes."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from annotation.sentences import sentences
from codebook.schema import AnswerKind, Code, Codebook, Question
from corpus.cells import text_cells, whole_cells
from corpus.errors import WrongType
from corpus.quotes import find_quote
from corpus.rules import ReadLimits
from corpus.tables import TableBatch, read_table

Pair = tuple[str, str | None]
Place = tuple[int, int]


class UnknownCode(ValueError):
    def __init__(self, code: str, codebook: Codebook) -> None:
        known = ", ".join(code.id for _, code in codebook.coded_questions())
        super().__init__(f"The codebook has no code {code!r}. Its codes: {known}.")


class NoQuotes(ValueError):
    def __init__(self, code: str) -> None:
        super().__init__(
            f"{code!r} asks which sentences, and no quotes say which. Name their column with "
            f"--evidence {code}=COLUMN, or leave out --label {code}."
        )


@dataclass(frozen=True, slots=True)
class TextColumns:
    """Which columns hold the texts and, where there are any, the ids; those that are None are not there."""

    post: str
    reply: str | None = None
    title: str | None = None
    post_id: str | None = None
    reply_id: str | None = None

    def names(self) -> list[str]:
        return [name for name in (self.post, self.reply, self.title, self.post_id, self.reply_id) if name]


@dataclass(frozen=True, slots=True)
class LabelColumn:
    """Where the answers to one code are; `quotes` has the words behind them, several between bars."""

    code: str
    path: Path
    value: str
    quotes: str | None = None


@dataclass(frozen=True, slots=True)
class TableLabel:
    value: int
    places: tuple[Place, ...]


@dataclass(slots=True)
class TableItem:
    """What the tables say about one pair; `labels` has by code everything said, so that contradictions show."""

    title: str
    post: str
    reply: str | None
    post_id: str | None
    reply_id: str | None
    labels: dict[str, set[TableLabel]] = field(default_factory=dict)

    @property
    def is_contradictory(self) -> bool:
        return any(len({label.value for label in said}) > 1 for said in self.labels.values())

    def label(self, code: str) -> TableLabel | None:
        """Where a pair is there twice with the same answer, all its quotes count."""
        said = self.labels.get(code)
        if not said:
            return None
        places = sorted({place for label in said for place in label.places})
        return TableLabel(next(iter(said)).value, tuple(places))


@dataclass(slots=True)
class ReadTables:
    """`n_repeated` rows of one table repeat a pair; `quotes` were found as they are, loosely, or not at all. `reworded`
    are pairs that have the same ids and other words elsewhere: they are one, with the words that were read first."""

    items: dict[Pair, TableItem] = field(default_factory=dict)
    quotes: Counter[str] = field(default_factory=Counter)
    n_repeated: int = 0
    reworded: set[Pair] = field(default_factory=set)
    by_ids: dict[tuple[str, str | None], Pair] = field(default_factory=dict)

    def pair_of(self, item: TableItem, *, has_replies: bool) -> Pair:
        """By its ids, where the table has them, else by its words."""
        pair = (without_spacing(item.post), None if item.reply is None else without_spacing(item.reply))
        if not item.post_id or (has_replies and not item.reply_id):
            return pair
        known = self.by_ids.setdefault((item.post_id, item.reply_id), pair)
        if known != pair:
            self.reworded.add(known)
        return known


def read_labelled_tables(
    codebook: Codebook, texts: TextColumns, columns: list[LabelColumn], separator: str = "|"
) -> ReadTables:
    """Pairs are told apart by their ids, and without any by their words, so that several tables, spaced or worded a
    little differently, can label the same ones."""
    asked = {code.id: (question, code) for question, code in codebook.coded_questions()}
    found = ReadTables()
    for column in columns:
        if column.code not in asked:
            raise UnknownCode(column.code, codebook)
        if asked[column.code][0].answer is AnswerKind.SENTENCES and column.quotes is None:
            raise NoQuotes(column.code)
    repeated = []
    for path in dict.fromkeys(column.path for column in columns):
        own = [column for column in columns if column.path == path]
        reading = _Reading(found, asked, texts, own, separator)
        reading.read(path)
        repeated.append(reading.n_repeated)
    found.n_repeated = max(repeated)
    return found


def without_spacing(text: str) -> str:
    """
    >>> without_spacing(" so  sorry\\n")
    'so sorry'
    """
    return " ".join(text.split())


@dataclass(slots=True)
class _Reading:
    found: ReadTables
    asked: Mapping[str, tuple[Question, Code]]
    texts: TextColumns
    columns: list[LabelColumn]
    separator: str
    seen: set[Pair] = field(default_factory=set)
    n_repeated: int = 0

    def read(self, path: Path) -> None:
        more = [name for column in self.columns for name in (column.value, column.quotes) if name]
        names = list(dict.fromkeys([*self.texts.names(), *more]))
        for batch in read_table(path, names, ReadLimits()):
            values = {column.code: whole_cells(path, batch, column.value) for column in self.columns}
            quotes = {column.code: text_cells(path, batch, column.quotes) for column in self.columns}
            for at, item in enumerate(self._items(path, batch)):
                for column in self.columns:
                    value = values[column.code][at]
                    if value is not None:
                        place = f"row {batch.first_row + at:,}, column {column.value!r}"
                        label = self._label(path, place, item, column.code, value, quotes[column.code][at])
                        item.labels.setdefault(column.code, set()).add(label)

    def _items(self, path: Path, batch: TableBatch) -> Iterator[TableItem]:
        texts = self.texts
        names = (texts.title, texts.post, texts.reply, texts.post_id, texts.reply_id)
        for title, post, reply, post_id, reply_id in zip(
            *(text_cells(path, batch, name) for name in names), strict=True
        ):
            new = TableItem(title or "", post or "", reply, post_id, reply_id)
            pair = self.found.pair_of(new, has_replies=texts.reply is not None)
            self.n_repeated += pair in self.seen
            self.seen.add(pair)
            yield self.found.items.setdefault(pair, new)

    def _label(
        self, path: Path, place: str, item: TableItem, code: str, value: int, quotes: str | None
    ) -> TableLabel:
        question, _ = self.asked[code]
        allowed = [level.value for level in question.levels] if question.answer.has_levels else [0, 1]
        if value not in allowed:
            advice = f"The codebook allows {', '.join(map(str, allowed))}. Nothing was written."
            raise WrongType(path, place, f"{value} is no answer to {code!r}.", advice)
        text = item.post if question.part == "post" else item.reply
        if text is None:
            raise WrongType(path, place, "the row has no reply to judge.", "Leave the cell empty.")
        return TableLabel(
            value, self._places(question, text, quotes) if value in question.present_values else ()
        )

    def _places(self, question: Question, text: str, quotes: str | None) -> tuple[Place, ...]:
        places = []
        for quote in (quotes or "").split(self.separator):
            if quote.strip():
                match = find_quote(text, quote)
                self.found.quotes[match.match if match else "not found"] += 1
                places += [(match.start, match.end)] if match else []
        if question.answer is AnswerKind.SENTENCES:
            return tuple(
                (a, b) for a, b in sentences(text) if any(a < end and start < b for start, end in places)
            )
        return tuple(places)
