"""A release as documents with marked words: what formats of other annotation tools are written from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from annotation.answers import ItemText
from annotation.release.rows import FinalLabel, ReleaseRow, Texts
from codebook.schema import Part

BETWEEN = "\n\n"


class NoTexts(ValueError):
    def __init__(self) -> None:
        super().__init__(
            "This release has no texts, and without them there are no documents to write: freeze one with texts."
        )


@dataclass(frozen=True, slots=True)
class Mark:
    """Words that stand for a code; offsets in code points of the document."""

    code: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Document:
    """Title, post and reply of an item, one after the other, with an empty line between; `labels` by code."""

    name: str
    text: str
    labels: dict[str, int]
    marks: tuple[Mark, ...]


def documents(rows: Iterable[ReleaseRow]) -> Iterator[Document]:
    """In the order of the release. Raises NoTexts."""
    for row in rows:
        texts = texts_in(row)
        parts = [texts.title, texts.post, *([] if texts.reply is None else [texts.reply])]
        text = BETWEEN.join(part for part in parts if part)
        post_at = len(texts.title) + len(BETWEEN) if texts.title and texts.post else 0
        starts = {Part.POST: post_at, Part.REPLY: len(text) - len(texts.reply or "")}
        yield Document(row.item.item_id, text, values_of(row), tuple(_marks(row.labels, starts)))


def texts_in(row: ReleaseRow) -> Texts:
    if row.item.texts is None:
        raise NoTexts
    return row.item.texts


def values_of(row: ReleaseRow) -> dict[str, int]:
    return {label.code: label.value for label in row.labels if label.value is not None}


def item_text(row: ReleaseRow) -> ItemText:
    texts = texts_in(row)
    return ItemText(row.item.item_id, texts.title, texts.post, texts.reply)


def _marks(labels: Iterable[FinalLabel], starts: dict[Part, int]) -> Iterator[Mark]:
    for label in labels:
        for each in label.evidence.snippets:
            yield Mark(label.code, starts[each.part] + each.start, starts[each.part] + each.end)
