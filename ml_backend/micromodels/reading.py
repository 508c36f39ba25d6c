"""Sentences of items as vectors of length 1; each different one goes through the backbone once.

How a sentence ends is part of its vector: encoders hardly tell a question from what answers it. With a share w for
endings, and e(s) of three places for ?, ! and all else,

    cos(r, z) = (1 - w) cos(encoder(r), encoder(z)) + w [e(r) = e(z)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray

from codebook.schema import Part
from ml_backend.co_attention.sentence_encoder import SentenceEncoder
from ml_backend.examples import Example, Place
from ml_backend.learners.position_features import words_of

Vectors = NDArray[np.float32]
QUESTIONS, EXCLAMATIONS = frozenset("?？؟⁇⁈⁉"), frozenset("!！‼")  # noqa: RUF001
# What is no word at the end.
_ENDING = re.compile(r"\W*$")


@dataclass(frozen=True, slots=True)
class ReadPart:
    """`rows` are its sentences among all that were read, a post's title first; `places` are those of its own text."""

    rows: tuple[int, ...]
    places: tuple[Place, ...]

    @property
    def own_rows(self) -> tuple[int, ...]:
        return self.rows[len(self.rows) - len(self.places) :]


@dataclass
class Sentences:
    """All different sentences of some items, and from `read` on their vectors; `n_cut` are tokens that do not fit."""

    rows: dict[str, int] = field(default_factory=dict)
    vectors: Vectors = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))
    n_cut: list[int] = field(default_factory=list)

    def row(self, text: str) -> int:
        return self.rows.setdefault(text, len(self.rows))

    def part(self, example: Example, part: Part) -> ReadPart:
        title = [example.text.title] if part is Part.POST and example.text.title.strip() else []
        texts = [*title, *words_of(example.text, part)]
        return ReadPart(tuple(map(self.row, texts)), example.text.sentences_of(part))

    def n_truncated(self, parts: Sequence[ReadPart]) -> int:
        return sum(self.n_cut[row] for part in parts for row in part.rows)

    def read(self, encoder: SentenceEncoder, endings: float) -> None:
        """`endings` is the share of a likeness that goes by how sentences end."""
        texts = list(self.rows)
        known = {} if _remembered is None else _remembered
        new = [text for text in texts if text not in known]
        vectors, n_cut = _read(encoder, new)
        found = {**known, **dict(zip(new, zip(vectors, n_cut, strict=True), strict=True))}
        if _remembered is not None:
            _remembered.update(found)
        meanings = np.array([found[text][0] for text in texts], dtype=np.float32).reshape(-1, encoder.width)
        kinds = np.eye(3, dtype=np.float32)[[ending_of(text) for text in texts]].reshape(-1, 3)
        self.vectors = np.hstack(
            [meanings * np.float32((1 - endings) ** 0.5), kinds * np.float32(endings**0.5)]
        )
        self.n_cut = [found[text][1] for text in texts]


def ending_of(text: str) -> int:
    """
    >>> [ending_of(text) for text in ("Why?", "“Really?!”", "Oh no!", "Sure? :)", "I see")]
    [0, 0, 1, 0, 2]
    """
    marks = _ENDING.search(text)
    closing = marks[0] if marks else ""
    return 0 if set(closing) & QUESTIONS else 1 if set(closing) & EXCLAMATIONS else 2


# What was read so far, while it is remembered.
_remembered: dict[str, tuple[Vectors, int]] | None = None


@contextmanager
def remembering_sentences() -> Iterator[None]:
    """For several trainings on the same texts with one backbone, as a benchmark has them: none is read twice."""
    global _remembered
    _remembered = {}
    try:
        yield
    finally:
        _remembered = None


def _read(encoder: SentenceEncoder, texts: Sequence[str]) -> tuple[Vectors, list[int]]:
    windows, n_cut = encoder.windows(texts)
    encoder.model.eval()
    with torch.inference_mode():
        vectors = encoder.vectors(windows).numpy()
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.maximum(lengths, 1e-12), n_cut
