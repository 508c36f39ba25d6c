"""The encoder and counted words together: each is wrong elsewhere, so that both are right more often than either."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, ClassVar, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind
from learning.predictions.rows import ItemPrediction
from ml_backend.encoder.config import EncoderConfig, Share
from ml_backend.encoder.learner import EncoderLora
from ml_backend.examples import Example
from ml_backend.learners.calibration import fitted_rules
from ml_backend.learners.checkpoint import Checkpoint
from ml_backend.learners.continuing import check_parent
from ml_backend.learners.interface import (
    Config,
    Input,
    Learner,
    OnPoint,
    Report,
    read_settings,
    write_settings,
)
from ml_backend.learners.scores import Rule, Scores, item_prediction, softmax
from ml_backend.learners.soft_targets import DISTRIBUTION, MAJORITY
from ml_backend.learners.tfidf import TfidfConfig, TfidfLogistic

ENCODER, WORDS = "encoder", "words"


class BlendConfig(EncoderConfig, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """That of the encoder, with `strength` as for TF-IDF, which always reads the judged part alone.

    `words_share` is how much TF-IDF weighs. It is not set on the validation part: what is likeliest there is not what
    has the best F1, and that is mostly luck where answers are rare.
    """

    words_share: Share = 0.4
    strength: Annotated[float, msgspec.Meta(gt=0)] = 1.0

    def of_encoder(self) -> EncoderConfig:
        asked = {name: getattr(self, name) for name in EncoderConfig.__struct_fields__}
        return EncoderConfig(**asked)


class _Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    config: BlendConfig
    codes: tuple[str, ...]
    rules: dict[str, Rule]


class EncoderTfidf(Learner):
    """The words behind an answer are the encoder's."""

    name: ClassVar = "encoder-tfidf"
    inputs: ClassVar = tuple(Input)
    config_type: ClassVar = BlendConfig

    def __init__(self, questions: Sequence[ModelQuestion], config: Config) -> None:
        super().__init__(questions, config)
        self.encoder = EncoderLora(self.questions, self.config.of_encoder())
        self.words = TfidfLogistic(
            self.questions,
            TfidfConfig(
                strength=self.config.strength, targets=DISTRIBUTION if self.config.is_soft else MAJORITY
            ),
        )
        self.rules: dict[str, Rule] = {}

    def begin_from(self, parent: Learner) -> None:
        """Words are counted anew: that takes seconds, and forgets nothing that the release has."""
        self.encoder.begin_from(check_parent(self, parent).encoder)

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
        self.words.fit(train, dev, seed=seed, report=report)
        self.encoder.fit(train, dev, seed=seed, report=report, checkpoint=checkpoint, on_point=on_point)
        self.rules = fitted_rules(self.questions, dev, self._scores(dev, report)[0], soft=self.config.is_soft)

    def predict(
        self, examples: Sequence[Example], *, adapter_id: str, report: Report
    ) -> tuple[ItemPrediction, ...]:
        scores, n_truncated = self._scores(examples, report)
        found = (
            item_prediction(example, self.questions, said, self.rules, adapter_id=adapter_id, n_truncated=n)
            for example, said, n in zip(examples, scores, n_truncated, strict=True)
        )
        return tuple(prediction for prediction in found if prediction is not None)

    def only(self, codes: Collection[str]) -> Self:
        found = super().only(codes)
        found.encoder, found.words = self.encoder.only(codes), self.words.only(codes)
        return found

    def embed(self, examples: Sequence[Example]) -> NDArray[np.float32]:
        return self.encoder.embed(examples)

    def save(self, folder: Path) -> None:
        codes = tuple(question.code_id for question in self.questions)
        write_settings(folder, _Settings(self.config, codes, self.rules))
        for name, learner in ((ENCODER, self.encoder), (WORDS, self.words)):
            (folder / name).mkdir()
            learner.save(folder / name)

    @classmethod
    def load(cls, folder: Path, questions: Sequence[ModelQuestion]) -> Self:
        settings = read_settings(folder, _Settings)
        learner = cls([q for q in questions if q.code_id in settings.codes], settings.config)
        learner.rules = settings.rules
        learner.encoder = EncoderLora.load(folder / ENCODER, learner.questions)
        learner.words = TfidfLogistic.load(folder / WORDS, learner.questions)
        return learner

    def _scores(
        self, examples: Sequence[Example], report: Report
    ) -> tuple[list[dict[str, Scores]], list[int]]:
        by_encoder, n_truncated = self.encoder.scores(examples, report)
        by_words = self.words.scores(examples)
        found = [
            {q.code_id: self._blend(q, first, second) for q in self.questions if q.code_id in first}
            for first, second in zip(by_encoder, by_words, strict=True)
        ]
        return found, n_truncated

    def _blend(
        self, question: ModelQuestion, first: Mapping[str, Scores], second: Mapping[str, Scores]
    ) -> Scores:
        code = question.code_id
        return blend_scores(
            question,
            soften(question, first[code], self.encoder.rules.get(code, Rule()).temperature),
            soften(question, second[code], self.words.rules.get(code, Rule()).temperature),
            self.config.words_share,
        )


def soften(question: ModelQuestion, scores: Scores, temperature: float) -> Scores:
    """As sure as the learner was found to be, so that the louder of two does not drown the other."""
    if question.answer is AnswerKind.SENTENCES:
        marks = None if scores.marks is None else scores.marks / temperature
        return Scores(scores.logits, scores.places, marks)
    logits = np.log(np.maximum(softmax(scores.logits / temperature), 1e-12))
    return Scores(logits, scores.places, scores.marks, scores.spread)


def blend_scores(question: ModelQuestion, first: Scores, second: Scores, share: float) -> Scores:
    """`share` is how much the second weighs; the words behind an answer are those of the first."""
    if question.answer is not AnswerKind.SENTENCES:
        logits = (1 - share) * first.logits + share * second.logits
        return Scores(logits, first.places, first.marks, first.spread)
    if first.marks is None or second.marks is None:
        return first
    return Scores(first.logits, first.places, (1 - share) * first.marks + share * second.marks)
