"""Examples as the network reads them: which sentences each part has, what is known of them, and which are marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from codebook.questions import ModelQuestion
from codebook.schema import Part
from ml_backend.co_attention.sentence_encoder import SentenceEncoder
from ml_backend.encoder.windows import Window
from ml_backend.examples import Example
from ml_backend.learners.position_features import KnownValues, dense_rows, position_rows, words_of
from ml_backend.learners.scores import Numbers
from ml_backend.learners.sentence_labels import marked_sentences

# By what a backbone that does not learn is and does, what it made of the tokens of sentences.
VectorMemory = dict[str, dict[tuple[int, ...], Tensor]]


@dataclass(frozen=True, slots=True)
class Prepared:
    """`sentences` are places in a list of all different ones; `rows` has the positions of those of the judged parts,
    `relations` how they stand to others, `marked` by code what is known of them, with its weight."""

    example: Example
    sentences: Mapping[Part, tuple[int, ...]]
    rows: Mapping[Part, Tensor]
    marked: Mapping[str, tuple[Tensor, float]]
    relations: Mapping[Part, Numbers] = field(default_factory=dict)


@dataclass
class SentenceList:
    """All different sentences of some examples; `vectors` is there once a backbone that does not learn read them."""

    windows: list[Window] = field(default_factory=list)
    n_cut: list[int] = field(default_factory=list)
    vectors: Tensor | None = None
    places: dict[str, int] = field(default_factory=dict)

    def place(self, text: str) -> int:
        return self.places.setdefault(text, len(self.places))

    def tokenize(self, encoder: SentenceEncoder) -> None:
        windows, n_cut = encoder.windows(list(self.places)[len(self.windows) :])
        self.windows += windows
        self.n_cut += n_cut

    def n_truncated(self, prepared: Prepared) -> int:
        """Tokens of an example that are not read; a sentence that it has twice counts twice."""
        return sum(self.n_cut[place] for own in prepared.sentences.values() for place in own)

    def read(self, encoder: SentenceEncoder, memory: VectorMemory | None = None) -> None:
        """All of them, once; those that are remembered not even once."""
        self.tokenize(encoder)
        known = {} if memory is None else memory.setdefault(encoder.key, {})
        new = [window for window in dict.fromkeys(self.windows) if window.ids not in known]
        encoder.model.eval()
        with torch.inference_mode():
            for window, vector in zip(new, encoder.vectors(new), strict=True):
                known[window.ids] = vector
            found = [known[window.ids] for window in self.windows]
            self.vectors = torch.stack(found) if found else torch.zeros((0, encoder.width))

    def rows_of(self, places: Sequence[int], encoder: SentenceEncoder) -> Tensor:
        """A vector for each place; each sentence goes through the backbone once however often it is asked for."""
        if self.vectors is not None:
            return self.vectors[torch.tensor(places, dtype=torch.long)].clone()
        different = sorted(set(places))
        rows = {place: row for row, place in enumerate(different)}
        vectors = encoder.vectors([self.windows[place] for place in different])
        return vectors[torch.tensor([rows[place] for place in places], dtype=torch.long)]


def prepare(
    examples: Sequence[Example],
    questions: Sequence[ModelQuestion],
    known: KnownValues,
    sentences: SentenceList,
) -> list[Prepared]:
    """Sentences that are new are added to the list."""
    judged = {question.part for question in questions}
    return [_prepare(example, questions, judged, known, sentences) for example in examples]


def _prepare(
    example: Example,
    questions: Sequence[ModelQuestion],
    judged: set[Part],
    known: KnownValues,
    sentences: SentenceList,
) -> Prepared:
    text = example.text
    found = {
        part: tuple(sentences.place(words) for words in words_of(text, part))
        for part in Part
        if text.text_of(part) is not None
    }
    rows = {
        part: torch.from_numpy(dense_rows(position_rows(text, part, known)).astype(np.float32))
        for part in judged
        if found.get(part)
    }
    marked = {
        question.code_id: (torch.from_numpy(own.marked.astype(np.float32)), own.weight)
        for question in questions
        if question.part in rows and (own := marked_sentences(question, example)) is not None
    }
    return Prepared(example, found, rows, marked)
