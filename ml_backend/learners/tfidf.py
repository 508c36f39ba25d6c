"""TF-IDF of words and characters with a balanced logistic regression: seconds to train, and hard to beat."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, ClassVar, Self

import msgspec
from scipy.sparse import csr_matrix, hstack

from codebook.questions import ModelQuestion
from learning.predictions.rows import ItemPrediction
from ml_backend.examples import Example
from ml_backend.learners.calibration import fitted_rules
from ml_backend.learners.checkpoint import Checkpoint
from ml_backend.learners.interface import (
    Config,
    Input,
    Learner,
    OnPoint,
    Report,
    read_settings,
    write_settings,
)
from ml_backend.learners.linear import Linear, fitted_linear, read_linear, write_linear
from ml_backend.learners.pieces import Kind, Pieces, kind_of, labelled, pieces_of, scores_of
from ml_backend.learners.scores import Rule, Scores, item_prediction
from ml_backend.learners.vocabulary import Vocabulary, read_vocabulary, write_vocabulary


class TfidfConfig(Config, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`strength` is the C of the regression: the larger, the less its weights are held back."""

    strength: Annotated[float, msgspec.Meta(gt=0)] = 1.0


class _Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    config: TfidfConfig
    rules: dict[str, Rule]


class TfidfLogistic(Learner):
    name: ClassVar = "tfidf-logistic"
    uses_torch: ClassVar = False
    inputs: ClassVar = (Input.ALONE, Input.PAIR)
    config_type: ClassVar = TfidfConfig

    def __init__(self, questions: Sequence[ModelQuestion], config: Config) -> None:
        super().__init__(questions, config)
        self.vocabularies: dict[str, Vocabulary] = {}
        self.models: dict[str, Linear] = {}
        self.rules: dict[str, Rule] = {}

    def fit(
        self,
        train: Sequence[Example],
        dev: Sequence[Example],
        *,
        seed: int,
        report: Report,
        checkpoint: Checkpoint | None = None,
        on_point: OnPoint | None = None,
    ) -> None:
        for kind, questions in self._by_kind().items():
            pieces = pieces_of(kind, train)
            for name, texts in pieces.columns:
                report(f"Counting words in {len(texts):,} texts ({name})")
                self.vocabularies.setdefault(name, Vocabulary.learned(texts))
            features = self._features(pieces)
            for question in questions:
                report(f"Fitting {question.code_id}")
                known = labelled(question, pieces)
                self.models[question.code_id] = fitted_linear(
                    features[list(known.rows)],
                    known.gold,
                    known.weights,
                    len(question.values),
                    strength=self.config.strength,
                )
        self.rules = fitted_rules(self.questions, dev, self.scores(dev))

    def _by_kind(self) -> dict[Kind, list[ModelQuestion]]:
        found: dict[Kind, list[ModelQuestion]] = {}
        for question in self.questions:
            found.setdefault(kind_of(question, self.config.input), []).append(question)
        return found

    def _features(self, pieces: Pieces) -> csr_matrix:
        blocks = [self.vocabularies[name].features(texts) for name, texts in pieces.columns]
        return hstack(blocks, format="csr")

    def predict(
        self, examples: Sequence[Example], *, adapter_id: str, report: Report
    ) -> tuple[ItemPrediction, ...]:
        found = (
            item_prediction(example, self.questions, scores, self.rules, adapter_id=adapter_id)
            for example, scores in zip(examples, self.scores(examples), strict=True)
        )
        return tuple(prediction for prediction in found if prediction is not None)

    def scores(self, examples: Sequence[Example]) -> list[dict[str, Scores]]:
        by_item: dict[str, dict[str, Scores]] = {example.item_id: {} for example in examples}
        for kind, questions in self._by_kind().items():
            pieces = pieces_of(kind, examples)
            if not pieces.examples:
                continue
            features = self._features(pieces)
            for question in questions:
                logits = self.models[question.code_id].logits(features)
                for at, example in enumerate(pieces.examples):
                    by_item[example.item_id][question.code_id] = scores_of(question, pieces, at, logits)
        return [by_item[example.item_id] for example in examples]

    def save(self, folder: Path) -> None:
        write_settings(folder, _Settings(self.config, self.rules))
        write_linear(folder, self.models)
        write_vocabulary(folder, self.vocabularies)

    @classmethod
    def load(cls, folder: Path, questions: Sequence[ModelQuestion]) -> Self:
        settings = read_settings(folder, _Settings)
        models = read_linear(folder)
        learner = cls([q for q in questions if q.code_id in models], settings.config)
        learner.models, learner.rules = models, settings.rules
        learner.vocabularies = read_vocabulary(folder)
        return learner
