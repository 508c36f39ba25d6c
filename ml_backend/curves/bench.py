"""Fits and measures fast models on any part of the same examples: texts are turned into numbers only once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack, issparse

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind
from learning.scoring.macro_f1 import macro_f1
from learning.scoring.precision_recall import f1
from ml_backend.curves.features import Featurizer, Matrix, latent
from ml_backend.examples import Example
from ml_backend.learners.interface import Input
from ml_backend.learners.linear import Linear, fitted_linear
from ml_backend.learners.pieces import Kind, Labelled, Pieces, kind_of, label_pieces, pieces_of
from ml_backend.learners.scores import Numbers, best_place, sigmoid, softmax

Places = Sequence[int] | NDArray[np.int64]
Models = Mapping[str, Linear]


@dataclass(frozen=True, slots=True)
class _Table:
    """One kind of piece; `owner` is the place of each piece's example among all."""

    pieces: Pieces
    features: Matrix
    owner: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Known:
    """The pieces with a label: their rows, whose they are, the answers' places and what each counts."""

    rows: NDArray[np.int64]
    owner: NDArray[np.int64]
    gold: NDArray[np.int64]
    weights: Numbers


class Bench:
    """Examples are named by their places. A question reads the judged part alone, or its context beside it."""

    def __init__(
        self,
        examples: Sequence[Example],
        questions: Sequence[ModelQuestion],
        featurizer: Featurizer,
        *,
        reads: Input = Input.ALONE,
        strength: float = 1.0,
    ) -> None:
        self.examples, self.questions = tuple(examples), tuple(questions)
        self._strength = strength
        self._kinds = {question.code_id: kind_of(question, reads) for question in questions}
        self._tables = {kind: self._table(kind, featurizer) for kind in set(self._kinds.values())}
        self._known = {question.code_id: self._labels(question) for question in questions}

    def _table(self, kind: Kind, featurizer: Featurizer) -> _Table:
        pieces = pieces_of(kind, self.examples)
        blocks = [featurizer.features(texts) for _, texts in pieces.columns]
        joined = hstack(blocks, format="csr") if issparse(blocks[0]) else np.hstack(blocks)
        place = {id(example): at for at, example in enumerate(self.examples)}
        asked = np.array([place[id(example)] for example in pieces.examples], dtype=np.int64)
        return _Table(pieces, joined, asked[np.array(pieces.owners, dtype=np.int64)])

    def _labels(self, question: ModelQuestion) -> _Known:
        table = self._tables[self._kinds[question.code_id]]
        found: Labelled = label_pieces(question, table.pieces)
        rows = np.array(found.rows, dtype=np.int64)
        gold = np.array(found.gold, dtype=np.int64)
        return _Known(rows, table.owner[rows], gold, np.array(found.weights))

    def fit(self, places: Places) -> Models:
        """One model for each code, from the labels of these examples; an example given twice counts twice."""
        times = np.bincount(np.asarray(places, dtype=np.int64), minlength=len(self.examples))
        models = {}
        for question in self.questions:
            known = self._known[question.code_id]
            kept = times[known.owner] > 0
            models[question.code_id] = fitted_linear(
                self._tables[self._kinds[question.code_id]].features[known.rows[kept]],
                known.gold[kept].tolist(),
                (known.weights * times[known.owner])[kept].tolist(),
                len(question.values),
                strength=self._strength,
            )
        return models

    def probabilities(self, models: Models, places: Places) -> tuple[Numbers, ...]:
        """For each code (examples, answers), NaN where an example is not asked; of sentences the likeliest counts."""
        return tuple(
            self._of_question(question, models[question.code_id])[places] for question in self.questions
        )

    def _of_question(self, question: ModelQuestion, model: Linear) -> Numbers:
        table = self._tables[self._kinds[question.code_id]]
        logits = model.logits(table.features)
        found = np.full((len(self.examples), len(question.values)), np.nan)
        if question.answer is AnswerKind.SENTENCES:
            marks = np.full(len(self.examples), -np.inf)
            np.maximum.at(marks, table.owner, sigmoid(logits[:, 1] - logits[:, 0]))
            asked = np.isfinite(marks)
            found[asked] = np.stack([1 - marks[asked], marks[asked]], axis=1)
        else:
            found[table.owner] = softmax(logits)
        return found

    def embeddings(self) -> Numbers:
        """A row for each example: the mean of its pieces as the first question reads them, in few columns."""
        table = self._tables[self._kinds[self.questions[0].code_id]]
        times = np.bincount(table.owner, minlength=len(self.examples))
        shape = (len(self.examples), len(table.owner))
        mean_of_own = csr_matrix((1 / times[table.owner], (table.owner, np.arange(len(table.owner)))), shape)
        features = mean_of_own @ table.features
        return latent(features) if issparse(features) else np.asarray(features)

    def scores(self, models: Models, weights: Numbers) -> dict[str, float]:
        """By code, macro-F1 of the answers, or F1 of sentences; each example counts by its weight, many by 0.

        A code has no score where the weighted examples have no label of it, or all the same one.
        """
        found = {}
        for question in self.questions:
            value = self._score(question, models[question.code_id], weights)
            if not np.isnan(value):
                found[question.code_id] = value
        return found

    def _score(self, question: ModelQuestion, model: Linear, weights: Numbers) -> float:
        known = self._known[question.code_id]
        table = self._tables[self._kinds[question.code_id]]
        counted = weights[known.owner] > 0
        if not counted.any():
            return float("nan")
        logits = model.logits(table.features[known.rows[counted]])
        gold, weight = known.gold[counted], weights[known.owner][counted]
        said = best_place(question.answer, softmax(logits), ())
        n = len(question.values)
        flat: Numbers = np.asarray(
            np.bincount(gold * n + said, weights=weight, minlength=n * n), dtype=np.float64
        )
        counts = flat.reshape(1, n, n)
        if question.answer is AnswerKind.SENTENCES:
            return float(f1(counts[:, 1, 1], counts[:, 0, 1], counts[:, 1, 0])[0])
        return float(macro_f1(counts)[0])

    def mean_score(self, models: Models, weights: Numbers) -> float:
        """Over the codes that have one; NaN where none has."""
        found = self.scores(models, weights)
        return float(np.mean([*found.values()])) if found else float("nan")
