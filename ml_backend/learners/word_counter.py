"""What learners have in common that count words and characters, weighted by TF-IDF."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

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
from ml_backend.learners.pieces import Kind, Labelled, Pieces, kind_of, label_pieces, pieces_of, scores_of
from ml_backend.learners.scores import Numbers, Rule, Scores, item_prediction
from ml_backend.learners.soft_targets import DISTRIBUTION, refuse_without_shares
from ml_backend.learners.vocabulary import Vocabulary, read_vocabulary, write_vocabulary


class WordSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Each heir says what its `config` is."""

    config: Any
    rules: dict[str, Rule]


class CodeModel(Protocol):
    """What was learned about one code."""

    def logits(self, features: csr_matrix) -> Numbers:
        """A row for each text, a column for each answer."""
        ...


ModelT = TypeVar("ModelT", bound=CodeModel)


class WordCounter(Learner, Generic[ModelT]):
    """Counts words and letters, and learns each code from them: how, its heirs say."""

    uses_torch: ClassVar = False
    inputs: ClassVar = (Input.ALONE, Input.PAIR)
    settings_type: ClassVar[type[WordSettings]]

    def __init__(self, questions: Sequence[ModelQuestion], config: Config) -> None:
        super().__init__(questions, config)
        self.vocabularies: dict[str, Vocabulary] = {}
        self.models: dict[str, ModelT] = {}
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
        if self.is_soft:
            refuse_without_shares(self.questions, train, DISTRIBUTION)
        for kind, questions in self._by_kind().items():
            pieces = pieces_of(kind, train)
            for name, texts in pieces.columns:
                report(f"Counting words in {len(texts):,} texts ({name})")
                self.vocabularies.setdefault(name, Vocabulary.learn(texts))
            features = self._features(pieces)
            for question in questions:
                report(f"Fitting {question.code_id}")
                known = label_pieces(question, pieces, soft=self.is_soft)
                self.models[question.code_id] = self.fit_code(
                    features[list(known.rows)], known, len(question.values)
                )
        self.rules = fitted_rules(self.questions, dev, self.scores(dev), soft=self.is_soft)

    @property
    def is_soft(self) -> bool:
        """Whether it learns the shares of annotators."""
        return False

    @abstractmethod
    def fit_code(self, features: csr_matrix, known: Labelled, n_values: int) -> ModelT: ...

    @staticmethod
    @abstractmethod
    def write_models(folder: Path, models: Mapping[str, ModelT]) -> None: ...

    @staticmethod
    @abstractmethod
    def read_models(folder: Path) -> dict[str, ModelT]:
        """Raises WeightsUnreadable."""

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
        write_settings(folder, self.settings_type(config=self.config, rules=self.rules))
        self.write_models(folder, self.models)
        write_vocabulary(folder, self.vocabularies)

    @classmethod
    def load(cls, folder: Path, questions: Sequence[ModelQuestion]) -> Self:
        settings = read_settings(folder, cls.settings_type)
        models = cls.read_models(folder)
        learner = cls([q for q in questions if q.code_id in models], settings.config)
        learner.models, learner.rules = models, settings.rules
        learner.vocabularies = read_vocabulary(folder)
        return learner
