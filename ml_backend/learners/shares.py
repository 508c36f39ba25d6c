"""The baselines that read nothing: the commonest answer, and answers drawn as often as they were given."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Self

import msgspec
import numpy as np

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind
from learning.predictions.rows import ItemPrediction
from ml_backend.examples import Example
from ml_backend.learners.calibration import find_overlaps
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
from ml_backend.learners.scores import Rule, Scores, item_prediction

# A logarithm that stands for never: probabilities stay exact to the last digit that is written.
NEVER = -100.0


class _Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    config: Config
    seed: int
    shares: dict[str, tuple[float, ...]]


class _Shares(Learner):
    """`shares` are the training labels' shares by code, in the order of the answers, each label with its weight."""

    inputs: ClassVar = (Input.ALONE,)
    uses_torch: ClassVar = False
    seed = 0
    shares: Mapping[str, tuple[float, ...]] = {}

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
        self.seed = seed
        self.shares = {question.code_id: _shares(question, train) for question in self.questions}

    def predict(
        self, examples: Sequence[Example], *, adapter_id: str, report: Report
    ) -> tuple[ItemPrediction, ...]:
        found = (
            item_prediction(
                example,
                self.questions,
                {q.code_id: self._scores(q, example) for q in self.questions if example.asks(q)},
                {q.code_id: self._rule(q, example) for q in self.questions},
                adapter_id=adapter_id,
            )
            for example in examples
        )
        return tuple(prediction for prediction in found if prediction is not None)

    def save(self, folder: Path) -> None:
        write_settings(folder, _Settings(self.config, self.seed, dict(self.shares)))

    @classmethod
    def load(cls, folder: Path, questions: Sequence[ModelQuestion]) -> Self:
        settings = read_settings(folder, _Settings)
        learner = cls([q for q in questions if q.code_id in settings.shares], settings.config)
        learner.seed, learner.shares = settings.seed, settings.shares
        return learner

    def _scores(self, question: ModelQuestion, example: Example) -> Scores:
        shares = np.asarray(self.shares[question.code_id], dtype=float)
        logits = np.where(shares > 0, np.log(np.maximum(shares, 1e-300)), NEVER)
        if question.answer is not AnswerKind.SENTENCES:
            return Scores(logits)
        places = example.text.sentences_of(question.part)
        return Scores(np.zeros(0), places, np.full(len(places), logits[1] - logits[0]))

    @abstractmethod
    def _rule(self, question: ModelQuestion, example: Example) -> Rule:
        """Which of the probabilities is said."""


class Majority(_Shares):
    """Always the commonest answer of the training part."""

    name: ClassVar = "majority"

    def _rule(self, question: ModelQuestion, example: Example) -> Rule:
        place = int(np.argmax(self.shares[question.code_id]))
        return _only(place, len(question.values))


class RandomByShare(_Shares):
    """An answer drawn with the shares of the training part, for each sentence where those are asked: the same for the
    same item and seed, in whatever order."""

    name: ClassVar = "random"

    def _scores(self, question: ModelQuestion, example: Example) -> Scores:
        """Of sentences those that are drawn."""
        scores = super()._scores(question, example)
        if scores.marks is None:
            return scores
        drawn = [bool(self._draw(question, example, f"\n{start}")) for start, _ in scores.places]
        places = tuple(place for place, is_drawn in zip(scores.places, drawn, strict=True) if is_drawn)
        return Scores(scores.logits, places, scores.marks[drawn])

    def _rule(self, question: ModelQuestion, example: Example) -> Rule:
        if question.answer is AnswerKind.SENTENCES:
            return _only(1, len(question.values))
        return _only(self._draw(question, example), len(question.values))

    def _draw(self, question: ModelQuestion, example: Example, where: str = "") -> int:
        """The place of the answer."""
        key = f"{self.seed}\n{question.code_id}\n{example.item_id}{where}".encode()
        drawn = int.from_bytes(hashlib.blake2b(key, digest_size=8).digest()) / 2**64
        up_to = np.cumsum(self.shares[question.code_id])
        return min(int(np.searchsorted(up_to, drawn, side="right")), len(up_to) - 1)


def _only(place: int, n_values: int) -> Rule:
    offsets = tuple(0.0 if at == place else 10 * NEVER for at in range(n_values))
    return Rule(offsets=offsets, mark_threshold=0.0 if place else 2.0)


def _shares(question: ModelQuestion, examples: Sequence[Example]) -> tuple[float, ...]:
    """Where sentences are asked for, those of sentences that were and were not marked."""
    values = [each.value for each in question.values]
    sums = np.zeros(len(values))
    for example in examples:
        target = example.targets.get(question.code_id)
        if target is None:
            continue
        if question.answer is AnswerKind.SENTENCES:
            places = example.text.sentences_of(question.part)
            marked = int(find_overlaps(places, target.marks).sum())
            sums += target.weight * np.array([len(places) - marked, marked])
        else:
            sums[values.index(target.value)] += target.weight
    if not sums.sum():
        return tuple([1 / len(values)] * len(values))
    return tuple((sums / sums.sum()).tolist())
