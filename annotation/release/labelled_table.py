"""Reads labelled pairs from tables: texts, labels by code, and the words behind them, quoted or marked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from annotation.answers import Features, SentenceList
from annotation.release.rows import SplitPart
from annotation.release.table_cells import (
    CellUnreadable,
    is_rounded,
    join_sentences,
    read_marks,
    read_part,
    read_texts,
    read_value,
)
from annotation.release.table_items import (
    ANNOTATORS,
    LabelColumn,
    MarksUnwanted,
    NoQuotes,
    NothingNamed,
    Pair,
    Place,
    ReadTables,
    TableItem,
    TableLabel,
    TextColumns,
    UnknownCode,
)
from annotation.sentences import sentences
from codebook.schema import AnswerKind, Codebook, Part, Question
from corpus.cells import text_cells
from corpus.errors import WrongType
from corpus.quotes import find_quote
from corpus.rules import ReadLimits
from corpus.table_columns import table_columns
from corpus.tables import TableBatch, read_table

_Words = tuple[str, SentenceList | None]


def read_labelled_tables(
    codebook: Codebook,
    texts: TextColumns,
    columns: Sequence[LabelColumn],
    separator: str = "|",
    parts: Mapping[Path, SplitPart] | None = None,
    items: Path | None = None,
) -> ReadTables:
    """Pairs are told apart by their ids, and without any by their words, so that several tables, spaced or worded a
    little differently, can label the same ones. `parts` are further tables with the columns of the first, whose rows
    all belong to one part of the split, and `items` is the table of texts where all labels are in others. A table
    without texts has labels of items that it names as the table of texts does."""
    asked = {code.id: question for question, code in codebook.coded_questions()}
    for column in columns:
        _check_column(column, asked, codebook)
    by_path: dict[Path, list[LabelColumn]] = {items: []} if items else {}
    for column in columns:
        by_path.setdefault(column.path, []).append(column)
    first = next(iter(by_path))
    more = dict.fromkeys(parts or {}, by_path[first])
    found = ReadTables()
    repeated = []
    for path, own in (by_path | more).items():
        part = (parts or {}).get(path, SplitPart.TRAIN if parts and path == first else None)
        reading = _Reading(found, asked, texts, own, separator, part)
        reading.read(path)
        repeated.append(reading.n_repeated)
    found.n_repeated = max(repeated)
    if texts.speakers is None:
        found.forget_doubtful_speakers()
    return found


def _check_column(column: LabelColumn, asked: Mapping[str, Question], codebook: Codebook) -> None:
    if column.code not in asked:
        raise UnknownCode(column.code, codebook)
    by_sentence = asked[column.code].answer is AnswerKind.SENTENCES
    if column.is_marks and not by_sentence:
        raise MarksUnwanted(column.code, column.value)
    if by_sentence and column.quotes is None and not column.is_marks:
        raise NoQuotes(column.code)


@dataclass(slots=True)
class _Reading:
    found: ReadTables
    asked: Mapping[str, Question]
    texts: TextColumns
    columns: Sequence[LabelColumn]
    separator: str
    part: SplitPart | None
    seen: set[tuple[Pair, str | None]] = field(default_factory=set)
    n_repeated: int = 0

    def read(self, path: Path) -> None:
        names = table_columns(path, ReadLimits())
        if not {self.texts.post, self.texts.reply}.intersection(names):
            self._read_labels(path, names)
            return
        more = [name for column in self.columns for name in (column.value, column.quotes) if name]
        names = list(dict.fromkeys([*self.texts.names(), *more]))
        for batch in read_table(path, names, ReadLimits()):
            quotes = {column.code: text_cells(path, batch, column.quotes) for column in self.columns}
            people = self._annotators(path, batch)
            for at, item in enumerate(self._items(path, batch, people)):
                self._take(item, path, batch, at, people[at], quotes)

    def _read_labels(self, path: Path, names: Sequence[str]) -> None:
        """Of a table without texts, such as item, annotator, label."""
        named = self.texts.item or self.texts.reply_id
        if named is None:
            raise NothingNamed(path)
        who = next((name for name in names if name.casefold() in ANNOTATORS), None)
        texts, items = TextColumns(None, item=named, annotator=who), self.found.by_name()
        wanted = dict.fromkeys([*texts.names(), *(column.value for column in self.columns)])
        for batch in read_table(path, list(wanted), ReadLimits()):
            people = replace(self, texts=texts)._annotators(path, batch)
            for at, name in enumerate(text_cells(path, batch, named)):
                item = items.get(name or "")
                self.found.n_textless += item is None
                if item is not None:
                    self._take(item, path, batch, at, people[at], {})

    def _take(
        self,
        item: TableItem,
        path: Path,
        batch: TableBatch,
        at: int,
        annotator: str | None,
        quotes: Mapping[str, Sequence[str | None]],
    ) -> None:
        for column in self.columns:
            cell = batch.columns[column.value][at]
            own = quotes.get(column.code)
            try:
                label = self._label(item, column, cell, own[at] if own else None)
            except CellUnreadable as error:
                raise _wrong(path, batch, at, column.value, error) from error
            if label is not None:
                item.add(column.code, label, annotator)

    def _annotators(self, path: Path, batch: TableBatch) -> list[str | None]:
        column = self.texts.annotator
        people: list[str | None] = text_cells(path, batch, column)
        if column is not None and None in people:
            problem = CellUnreadable("the row does not say whose labels it has.")
            raise _wrong(path, batch, people.index(None), column, problem)
        return people

    def _items(self, path: Path, batch: TableBatch, people: Sequence[str | None]) -> Iterator[TableItem]:
        texts = self.texts
        words = zip(self._words(path, batch, texts.post), self._words(path, batch, texts.reply), strict=True)
        features = {name: text_cells(path, batch, name) for name in texts.features}
        parts = self._parts(path, batch)
        names = (texts.title, texts.post_id, texts.reply_id, texts.group, texts.item)
        ids = zip(*(text_cells(path, batch, name) for name in names), strict=True)
        for at, ((post, reply), (title, post_id, reply_id, group, own)) in enumerate(
            zip(words, ids, strict=True)
        ):
            of_item = {name: value for name, cells in features.items() if (value := cells[at]) is not None}
            lists = {Part.POST: post and post[1], Part.REPLY: reply and reply[1]}
            known = Features(of_item, {part: each for part, each in lists.items() if each})
            self._add_speakers(path, batch, at, known)
            new = TableItem(
                title=title or "",
                post=post[0] if post else "",
                reply=reply[0] if reply else None,
                post_id=post_id,
                reply_id=reply_id,
                group=group,
                item=own,
                part=parts[at],
                features=known,
            )
            yield self._keep(new, people[at])

    def _keep(self, new: TableItem, annotator: str | None) -> TableItem:
        pair = self.found.pair_of(new, has_replies=self.texts.reply is not None)
        self.n_repeated += (pair, annotator) in self.seen
        self.seen.add((pair, annotator))
        return self.found.items.setdefault(pair, new)

    def _words(self, path: Path, batch: TableBatch, column: str | None) -> list[_Words | None]:
        if column is None or column not in self.texts.lists:
            return [None if text is None else (text, None) for text in text_cells(path, batch, column)]
        found: list[_Words | None] = []
        for at, cell in enumerate(batch.columns[column]):
            try:
                found.append(join_sentences(read_texts(cell)) if cell not in (None, "") else None)
            except CellUnreadable as error:
                raise _wrong(path, batch, at, column, error) from error
        return found

    def _parts(self, path: Path, batch: TableBatch) -> list[SplitPart | None]:
        column = self.texts.part
        if column is None:
            return [self.part] * batch.height
        found: list[SplitPart | None] = []
        for at, cell in enumerate(text_cells(path, batch, column)):
            try:
                found.append(self.part or read_part(cell))
            except CellUnreadable as error:
                raise _wrong(path, batch, at, column, error) from error
        return found

    def _add_speakers(self, path: Path, batch: TableBatch, at: int, known: Features) -> None:
        column = self.texts.speakers
        own = known.sentences.get(Part.POST) or known.sentences.get(Part.REPLY)
        if column is None or own is None:
            return
        try:
            speakers = read_texts(batch.columns[column][at])
            _check_length(len(speakers), len(own.places), "speakers")
        except CellUnreadable as error:
            raise _wrong(path, batch, at, column, error) from error
        own.features["speaker"] = speakers

    def _label(
        self, item: TableItem, column: LabelColumn, cell: object, quotes: str | None
    ) -> TableLabel | None:
        question = self.asked[column.code]
        text = item.post if question.part is Part.POST else item.reply
        if column.is_marks:
            return self._mark(item, question, text, cell)
        value = read_value(question, cell)
        if value is None:
            return None
        self.found.n_rounded += is_rounded(cell)
        allowed = [level.value for level in question.levels] if question.answer.has_levels else [0, 1]
        if value not in allowed:
            choice = ", ".join(map(str, allowed))
            raise CellUnreadable(f"{value} is no answer to {column.code!r}: the codebook allows {choice}.")
        if text is None:
            raise CellUnreadable(f"the row has no {question.part} to judge: leave the cell empty.")
        is_present = value in question.present_values
        return TableLabel(value, self._places(item, question, text, quotes) if is_present else ())

    def _mark(self, item: TableItem, question: Question, text: str | None, cell: object) -> TableLabel | None:
        if cell in (None, ""):
            return None
        marks = read_marks(cell)
        if text is None:
            raise CellUnreadable(f"the row has no {question.part} to judge: leave the cell empty.")
        places = _sentences(item, question.part, text)
        _check_length(len(marks), len(places), "marks")
        found = tuple(place for place, mark in zip(places, marks, strict=True) if mark)
        return TableLabel(int(bool(found)), found)

    def _places(
        self, item: TableItem, question: Question, text: str, quotes: str | None
    ) -> tuple[Place, ...]:
        places = []
        for quote in (quotes or "").split(self.separator):
            if quote.strip():
                match = find_quote(text, quote)
                self.found.quotes[match.match if match else "not found"] += 1
                places += [(match.start, match.end)] if match else []
        if question.answer is AnswerKind.SENTENCES:
            whole = _sentences(item, question.part, text)
            return tuple((a, b) for a, b in whole if any(a < end and start < b for start, end in places))
        return tuple(places)


def _sentences(item: TableItem, part: Part, text: str) -> tuple[Place, ...]:
    given = item.features.sentences.get(part)
    return given.places if given else sentences(text)


def _check_length(n: int, n_sentences: int, what: str) -> None:
    if n != n_sentences:
        raise CellUnreadable(f"the list has {n:,} {what} and the text {n_sentences:,} sentences.")


def _wrong(path: Path, batch: TableBatch, at: int, column: str, problem: CellUnreadable) -> WrongType:
    return WrongType(
        path, f"row {batch.first_row + at:,}, column {column!r}", str(problem), "Nothing was written."
    )
