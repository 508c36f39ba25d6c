"""What learners learn from and predict on: items with their texts, and the labels that are known, code by code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from annotation.answers import ItemText
from annotation.release.read import ReadRelease
from annotation.release.rows import FinalLabel, ReleaseRow, Shares, SplitPart
from codebook.questions import ModelQuestion
from codebook.schema import Part
from corpus.cells import text_cells
from corpus.rules import ReadLimits
from corpus.tables import read_table

Place = tuple[int, int]


class ReleaseWithoutTexts(ValueError):
    def __init__(self, name: str) -> None:
        super().__init__(
            f"The release “{name}” holds no texts, and a model reads texts. Freeze it again with --texts."
        )


class NothingToLearn(ValueError):
    def __init__(self, part: SplitPart) -> None:
        super().__init__(
            f"The release has no item in its {part.value} part. Make one with another ratio, such as 6:2:2."
        )


class TextMissing(ValueError):
    def __init__(self, path: Path, row: int, column: str) -> None:
        super().__init__(
            f"{path}, row {row:,}: the column {column!r} is empty. Give each row an id and a post."
        )


class ItemTwice(ValueError):
    def __init__(self, path: Path, row: int) -> None:
        super().__init__(f"{path}, row {row:,}: the id was there before. Give each item an id of its own.")


@dataclass(frozen=True, slots=True)
class Target:
    """A known answer; `marks` are the words behind it, in the judged part, counted in code points. Of releases with
    soft labels, `shares` are those of annotators by value, and `said` what each of them said, by pseudonym."""

    value: int
    weight: float
    marks: tuple[Place, ...] = ()
    shares: Shares = ()
    said: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """`targets` by code; a code that nobody answered has none and teaches nothing."""

    text: ItemText
    targets: Mapping[str, Target] = field(default_factory=dict)

    @property
    def item_id(self) -> str:
        return self.text.item_id

    def asks(self, question: ModelQuestion) -> bool:
        return self.text.text_of(question.part) is not None

    def shown(self, part: Part) -> tuple[str, int]:
        """The part as a model reads it, and where the part's own text begins: a post comes after its title."""
        own = self.text.text_of(part) or ""
        title = self.text.title.strip() if part is Part.POST else ""
        return (f"{title}\n\n{own}", len(title) + 2) if title else (own, 0)


def examples_of(release: ReadRelease, part: SplitPart) -> tuple[Example, ...]:
    """The items of one part of the split, in the order of their ids."""
    return examples_in(release, [row for row in release.rows if row.split is part])


def examples_in(release: ReadRelease, rows: Iterable[ReleaseRow]) -> tuple[Example, ...]:
    return tuple(_example(release, row) for row in rows)


def labelled_questions(
    questions: Iterable[ModelQuestion], examples: Iterable[Example]
) -> tuple[ModelQuestion, ...]:
    """Those that at least one label answers: of the others nothing can be learned."""
    known = {code for example in examples for code in example.targets}
    return tuple(question for question in questions if question.code_id in known)


def _example(release: ReadRelease, row: ReleaseRow) -> Example:
    texts = row.item.texts
    if texts is None:
        raise ReleaseWithoutTexts(release.manifest.name)
    text = ItemText(row.item.item_id, texts.title, texts.post, texts.reply, texts.features)
    targets = {label.code: target for label in row.labels if (target := _target(label)) is not None}
    return Example(text, targets)


def _target(label: FinalLabel) -> Target | None:
    if label.value is None or label.weight <= 0:
        return None
    marks = tuple((snippet.start, snippet.end) for snippet in label.evidence.snippets)
    said = tuple((vote.annotator, vote.value) for vote in label.votes) if label.shares else ()
    return Target(label.value, label.weight, marks, label.shares, said)


@dataclass(frozen=True, slots=True)
class TextColumns:
    """Which columns of a table hold the texts; one that is None is not there."""

    item_id: str = "item_id"
    post: str = "post"
    reply: str | None = "reply"
    title: str | None = None

    def names(self) -> list[str]:
        return [name for name in (self.item_id, self.post, self.reply, self.title) if name]


def examples_in_table(path: Path, columns: TextColumns) -> tuple[Example, ...]:
    """Texts without labels from a .csv, .jsonl or .parquet file; an empty reply is an item without one."""
    found: list[Example] = []
    seen: set[str] = set()
    for batch in read_table(path, columns.names(), ReadLimits()):
        names = (columns.item_id, columns.post, columns.reply, columns.title)
        cells = zip(*(text_cells(path, batch, name) for name in names), strict=True)
        for row, (item_id, post, reply, title) in enumerate(cells, start=batch.first_row):
            if item_id is None or post is None:
                raise TextMissing(path, row, columns.item_id if item_id is None else columns.post)
            if item_id in seen:
                raise ItemTwice(path, row)
            seen.add(item_id)
            found.append(Example(ItemText(item_id, title or "", post, reply)))
    return tuple(found)
