"""Marks sentences by their positions alone: the baseline that every learner of sentences has to be above.

In conversations the cause of an emotion is mostly what was said last (Poria et al., “Recognizing Emotion Cause in
Conversations”, Cognitive Computation 13, 2021), so that a model can look as if it understood and only have counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, ClassVar, Self

import msgspec
import numpy as np
from msgspec import Meta

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind
from learning.predictions.rows import ItemPrediction
from ml_backend.examples import Example
from ml_backend.learners.boosted_trees import BoostedTrees, Growth, grow_trees, read_trees, write_trees
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
from ml_backend.learners.position_features import known_values, position_rows
from ml_backend.learners.scores import Rule, Scores, item_prediction
from ml_backend.learners.sentence_labels import MarkedSentences, marked_sentences, two_sided_questions


class PositionsConfig(Config, frozen=True, forbid_unknown_fields=True, kw_only=True):
    trees: Annotated[int, Meta(ge=1)] = 200


class _Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    config: PositionsConfig
    known: dict[str, tuple[str, ...]]
    rules: dict[str, Rule]


class Positions(Learner):
    name: ClassVar = "positions"
    uses_torch: ClassVar = False
    inputs: ClassVar = (Input.ALONE,)
    answers: ClassVar = (AnswerKind.SENTENCES,)
    config_type: ClassVar = PositionsConfig

    def __init__(self, questions: Sequence[ModelQuestion], config: Config) -> None:
        super().__init__(questions, config)
        self.known: dict[str, tuple[str, ...]] = {}
        self.trees: dict[str, BoostedTrees] = {}
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
        self.questions = two_sided_questions(self.questions, train, report)
        self.known = known_values(train)
        growth = Growth(trees=self.config.trees)
        for question in self.questions:
            labelled = [marked for example in train if (marked := marked_sentences(question, example))]
            self.trees[question.code_id] = self._grow(question, labelled, growth, seed)
        self.rules = fitted_rules(self.questions, dev, self.scores(dev))

    def _grow(
        self, question: ModelQuestion, labelled: Sequence[MarkedSentences], growth: Growth, seed: int
    ) -> BoostedTrees:
        rows = np.vstack([position_rows(each.example.text, question.part, self.known) for each in labelled])
        gold = np.concatenate([each.marked for each in labelled])
        weights = np.concatenate([np.full(len(each.marked), each.weight) for each in labelled])
        return grow_trees(rows, gold, weights, growth, seed=seed)

    def predict(
        self, examples: Sequence[Example], *, adapter_id: str, report: Report
    ) -> tuple[ItemPrediction, ...]:
        found = (
            item_prediction(example, self.questions, said, self.rules, adapter_id=adapter_id)
            for example, said in zip(examples, self.scores(examples), strict=True)
        )
        return tuple(prediction for prediction in found if prediction is not None)

    def scores(self, examples: Sequence[Example]) -> list[dict[str, Scores]]:
        """Raw, in the order of the examples."""
        found: list[dict[str, Scores]] = [{} for _ in examples]
        for question in self.questions:
            asked = [at for at, example in enumerate(examples) if example.asks(question)]
            rows = [position_rows(examples[at].text, question.part, self.known) for at in asked]
            if not rows:
                continue
            logits = self.trees[question.code_id].logits(np.vstack(rows))
            ends = np.cumsum([len(each) for each in rows])[:-1]
            for at, marks in zip(asked, np.split(logits, ends), strict=True):
                places = examples[at].text.sentences_of(question.part)
                found[at][question.code_id] = Scores(np.zeros(0), places, marks)
        return found

    def save(self, folder: Path) -> None:
        write_settings(folder, _Settings(self.config, self.known, self.rules))
        write_trees(folder, self.trees)

    @classmethod
    def load(cls, folder: Path, questions: Sequence[ModelQuestion]) -> Self:
        settings = read_settings(folder, _Settings)
        trees = read_trees(folder)
        learner = cls([question for question in questions if question.code_id in trees], settings.config)
        learner.known, learner.rules, learner.trees = settings.known, settings.rules, trees
        return learner
