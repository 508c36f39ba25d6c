"""What the fine-tuned and the few-shot learner share: asking, calibrating, predicting, and telling what went wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind
from learning.predictions.rows import CodePrediction, ItemPrediction
from ml_backend.encoder.backbone import Backbone
from ml_backend.encoder.learner import OtherBackbone
from ml_backend.examples import Example
from ml_backend.generative.asking import Asking, Tally
from ml_backend.generative.model import holds_four_bits, load_model
from ml_backend.generative.prompts import Demonstration, Prompting
from ml_backend.generative.single_sentences import asks_by_sentence, single_sentences
from ml_backend.learners.calibration import find_overlaps, fitted_rules
from ml_backend.learners.interface import Config, Input, Learner, Report
from ml_backend.learners.scores import Rule, Scores


class NotFitted(RuntimeError):
    def __init__(self) -> None:
        super().__init__("This learner has learned nothing yet: fit or load it first.")


class Prompted(Learner):
    """`seen` has by code the answers that training labels gave: no other is ever said."""

    inputs: ClassVar = (Input.ALONE, Input.PAIR)

    def __init__(self, questions: Sequence[ModelQuestion], config: Config) -> None:
        super().__init__(questions, config)
        self.rules: dict[str, Rule] = {}
        self.seen: dict[str, tuple[int, ...]] = {}
        self.demonstrations: Mapping[str, Sequence[Demonstration]] = {}
        self._backbone: Backbone | None = None
        self._backbone_sha256 = ""
        self._four_bit = False

    def predict(
        self, examples: Sequence[Example], *, adapter_id: str, report: Report
    ) -> tuple[ItemPrediction, ...]:
        tally = Tally()
        codes: list[list[CodePrediction]] = [[] for _ in examples]
        for question in self.questions:
            asking = self._make_asking(question, tally)
            rule = self.rules.get(question.code_id, Rule())
            for at, example in self._ask(question, examples, report):
                codes[at].append(asking.prediction(example, rule))
        tally.tell(report, len(examples))
        return tuple(
            ItemPrediction(example.item_id, tuple(found), adapter_id, tally.truncated.get(example.item_id, 0))
            for example, found in zip(examples, codes, strict=True)
            if found
        )

    def _open_backbone(self, report: Report) -> Backbone:
        """That of the configuration, for fitting."""
        self._four_bit = holds_four_bits(self.config.backbone, self.config.four_bit)
        self._backbone = load_model(self.config.backbone, four_bit=self._four_bit, report=report)
        self._backbone_sha256 = self._backbone.fingerprint()
        return self._backbone

    def _open_same_backbone(self, *, four_bit: bool, sha256: str) -> Backbone:
        """The very weights that were fitted, held as they were then."""
        self._four_bit, self._backbone_sha256 = four_bit, sha256
        self._backbone = load_model(self.config.backbone, four_bit=four_bit, report=lambda line: None)
        if self._backbone.fingerprint() != sha256:
            raise OtherBackbone(self._backbone.name)
        return self._backbone

    def _learn_what_was_seen(self, train: Sequence[Example]) -> None:
        self.seen = {question.code_id: _seen_answers(question, train) for question in self.questions}

    def _set_rules(self, dev: Sequence[Example], report: Report) -> None:
        self.rules = fitted_rules(self.questions, dev, self._scores(dev, report))

    def _scores(self, examples: Sequence[Example], report: Report) -> list[dict[str, Scores]]:
        tally = Tally()
        scores: list[dict[str, Scores]] = [{} for _ in examples]
        for question in self.questions:
            asking = self._make_asking(question, tally)
            for at, example in self._ask(question, examples, report):
                scores[at][question.code_id] = asking.scores(example)
        return scores

    def _ask(
        self, question: ModelQuestion, examples: Sequence[Example], report: Report
    ) -> list[tuple[int, Example]]:
        found = [(at, example) for at, example in enumerate(examples) if example.asks(question)]
        if found:
            report(f"Asking about {question.code_id}: {len(found):,} items")
        return found

    def _asked_apart(self, question: ModelQuestion, examples: Sequence[Example]) -> Sequence[Example]:
        """As they are asked: whole, or sentence by sentence."""
        if not asks_by_sentence(self.config, question):
            return examples
        asked = [example for example in examples if example.asks(question)]
        return [each for example in asked for each in single_sentences(example, question)]

    def _make_asking(self, question: ModelQuestion, tally: Tally) -> Asking:
        return Asking(
            self._model(), self._make_prompting(question), self.config, self.seen[question.code_id], tally
        )

    def _make_prompting(self, question: ModelQuestion) -> Prompting:
        shown = self.demonstrations.get(question.code_id, ())
        return Prompting(self._model(), question, self.config, shown)

    def _model(self) -> Backbone:
        if self._backbone is None:
            raise NotFitted
        return self._backbone


def _seen_answers(question: ModelQuestion, train: Sequence[Example]) -> tuple[int, ...]:
    """Where sentences are asked for, whether any was marked and any was not."""
    known = [
        (example, target)
        for example in train
        if (target := example.targets.get(question.code_id)) is not None and example.asks(question)
    ]
    if question.answer is not AnswerKind.SENTENCES:
        return tuple(sorted({target.value for _, target in known}))
    marked: Any = [
        find_overlaps(example.text.sentences_of(question.part), target.marks) for example, target in known
    ]
    return tuple(sorted({int(each) for each in np.concatenate([*marked, np.zeros(0, dtype=bool)])}))
