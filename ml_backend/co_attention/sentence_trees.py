"""Boosted trees beside the network: on places, relations and the main directions of what sentences mean.

They find steps and combinations in few numbers, the network finds them in the words: their mean is better than each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from codebook.questions import ModelQuestion
from codebook.schema import Part
from ml_backend.co_attention.preparing import Prepared, SentenceList
from ml_backend.co_attention.relations import DIGITS
from ml_backend.learners.boosted_trees import BoostedTrees, Growth, grow_trees, read_trees, write_trees
from ml_backend.learners.interface import WeightsUnreadable
from ml_backend.learners.position_features import KnownValues, position_rows
from ml_backend.learners.scores import Numbers
from ml_backend.learners.sentence_labels import marked_sentences

DIRECTIONS = "directions.safetensors"
N_DIRECTIONS = 30
# A split chooses from some columns alone, so that the many directions do not drown the few places.
COLUMNS_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class SentenceTrees:
    """`directions` are the principal ones of all sentences around their `middle`. Positions are used where the `known`
    values of items are given."""

    middle: Numbers
    directions: Numbers
    by_code: dict[str, BoostedTrees]

    @classmethod
    def grow(
        cls,
        questions: Sequence[ModelQuestion],
        train: Sequence[Prepared],
        sentences: SentenceList,
        known: KnownValues | None,
        *,
        n_trees: int,
        seed: int,
    ) -> Self:
        vectors = _vectors(sentences)
        middle, directions = _principal(vectors)
        found = cls(middle, directions, {})
        growth = Growth(trees=n_trees, columns=COLUMNS_SHARE)
        for question in questions:
            labelled = [each for each in train if question.code_id in each.marked]
            rows = np.vstack([found._rows(each, question.part, vectors, known) for each in labelled])
            marks = [marked for each in labelled if (marked := marked_sentences(question, each.example))]
            gold = np.concatenate([each.marked for each in marks])
            weights = np.concatenate([np.full(len(each.marked), each.weight) for each in marks])
            found.by_code[question.code_id] = grow_trees(rows, gold, weights, growth, seed=seed)
        return found

    def logits(
        self,
        question: ModelQuestion,
        prepared: Sequence[Prepared],
        sentences: SentenceList,
        known: KnownValues | None,
    ) -> list[Numbers]:
        """A logit for each judged sentence of each example; none for one without sentences."""
        vectors = _vectors(sentences)
        rows = [
            self._rows(each, question.part, vectors, known) if question.part in each.rows else None
            for each in prepared
        ]
        there = [each for each in rows if each is not None]
        if not there:
            return [np.zeros(0)] * len(prepared)
        found = self.by_code[question.code_id].logits(np.vstack(there))
        pieces = iter(np.split(found, np.cumsum([len(each) for each in there])[:-1]))
        return [np.zeros(0) if each is None else next(pieces) for each in rows]

    def _rows(self, each: Prepared, part: Part, vectors: Numbers, known: KnownValues | None) -> Numbers:
        other = Part.REPLY if part is Part.POST else Part.POST
        own = self._main(vectors[list(each.sentences[part])])
        others = list(each.sentences.get(other, ()))
        mean = (
            self._main(vectors[others].mean(axis=0, keepdims=True)) if others else np.zeros((1, own.shape[1]))
        )
        columns = [own, np.repeat(mean, len(own), axis=0)]
        if part in each.relations:
            columns.append(each.relations[part])
        if known is not None:
            columns.append(position_rows(each.example.text, part, known))
        return np.column_stack(columns)

    def _main(self, vectors: Numbers) -> Numbers:
        found: Numbers = ((vectors - self.middle) @ self.directions).round(DIGITS)
        return found

    def save(self, folder: Path) -> None:
        write_trees(folder, self.by_code)
        save_file({"middle": self.middle, "directions": self.directions}, folder / DIRECTIONS)

    @classmethod
    def load(cls, folder: Path) -> Self:
        try:
            found = load_file(folder / DIRECTIONS)
            return cls(found["middle"].astype(float), found["directions"].astype(float), read_trees(folder))
        except (OSError, KeyError, SafetensorError) as error:
            raise WeightsUnreadable(folder / DIRECTIONS) from error


def _vectors(sentences: SentenceList) -> NDArray[np.float64]:
    assert sentences.vectors is not None, "trees are of sentences that were read"
    return sentences.vectors.double().numpy()


def _principal(vectors: Numbers) -> tuple[Numbers, Numbers]:
    """The mean, and the eigenvectors of the covariance with the largest eigenvalues, in columns."""
    middle = vectors.mean(axis=0)
    apart = vectors - middle
    _, directions = np.linalg.eigh(apart.T @ apart)
    return middle, np.ascontiguousarray(directions[:, ::-1][:, :N_DIRECTIONS])
