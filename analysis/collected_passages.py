"""Gathers the sentences that a code was asked of, and which are marked, from texts with the places of marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from analysis.marked_passages import MarkedPassages
from analysis.values import Way
from annotation.answers import ItemText
from annotation.release.rows import ReleaseRow
from codebook.schema import AnswerKind, Codebook, Evidence, Part

Place = tuple[int, int]


@dataclass
class CollectedPassages:
    """A sentence is marked if it shares a character with a mark."""

    texts: list[str] = field(default_factory=list)
    posts: list[str] = field(default_factory=list)
    is_marked: list[bool] = field(default_factory=list)

    def add(self, text: str, sentences: Sequence[Place], post: str, marks: Sequence[Place]) -> None:
        for start, end in sentences:
            self.texts.append(text[start:end])
            self.posts.append(post)
            self.is_marked.append(any(start < last and first < end for first, last in marks))

    def passages(self, code: str, name: str, way: Way) -> MarkedPassages:
        return MarkedPassages(
            code, name, tuple(self.texts), tuple(self.posts), np.array(self.is_marked, dtype=bool), way
        )


def release_passages(rows: Iterable[ReleaseRow], codebook: Codebook) -> tuple[MarkedPassages, ...]:
    """What people marked in a release with texts, by code; without codes that nothing is marked for."""
    parts = {
        code.id: question.part
        for question, code in codebook.coded_questions()
        if question.answer is AnswerKind.SENTENCES or question.evidence is not Evidence.NONE
    }
    collected = {code: CollectedPassages() for code in parts}
    for row in rows:
        texts = row.item.texts
        if texts is None:
            continue
        text = ItemText(row.item.item_id, texts.title, texts.post, texts.reply, texts.features)
        for label in row.labels:
            own = text.text_of(parts.get(label.code, Part.POST))
            if label.code not in parts or label.value is None or own is None:
                continue
            marks = [(snippet.start, snippet.end) for snippet in label.evidence.snippets]
            places = text.sentences_of(parts[label.code])
            collected[label.code].add(own, places, "/".join(map(str, row.item.post)), marks)
    return tuple(
        collected[code.id].passages(code.id, code.name, Way.GOLD)
        for _, code in codebook.coded_questions()
        if code.id in collected and any(collected[code.id].is_marked)
    )
