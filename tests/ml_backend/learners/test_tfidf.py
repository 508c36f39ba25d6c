"""TF-IDF and logistic regression."""

from __future__ import annotations

import pytest

from codebook.shipped import load_shipped
from learning.predictions.rows import ItemPrediction
from ml_backend.examples import Example
from ml_backend.learners.interface import Input
from ml_backend.learners.tfidf import TfidfConfig, TfidfLogistic
from tests.ml_backend.fixtures import examples
from tests.ml_backend.learners.contract import EPITOME, LearnerContract


class TestTfidfLogistic(LearnerContract):
    learner_type = TfidfLogistic

    @pytest.fixture(params=[Input.ALONE, Input.PAIR])
    def config(self, request: pytest.FixtureRequest) -> TfidfConfig:
        return TfidfConfig(input=request.param)

    @pytest.mark.parametrize("name", ["epitome", "empathy-practices", "empathy-cause", "construct-ratings"])
    def test_it_learns_what_words_give_away(self, config: TfidfConfig, name: str) -> None:
        codebook = load_shipped(name)
        learner = self.fitted(config, codebook, train=examples(codebook, 45))
        on = examples(codebook, 30, start=60)
        assert share_right(on, self.predicted(learner, on)) > 0.9

    def test_sentences_are_marked_where_they_are(self, config: TfidfConfig) -> None:
        causes = load_shipped("empathy-cause")
        on = examples(causes, 12, start=60)
        predictions = self.predicted(self.fitted(config, causes, train=examples(causes, 45)), on)
        marked = [tuple((span.start, span.end) for span in each.codes[0].spans) for each in predictions]
        assert marked == [each.targets["empathy-cause"].marks for each in on]

    def test_texts_without_any_word_can_be_learned_from(self, config: TfidfConfig) -> None:
        empty = [
            Example(each.text.__class__(each.item_id, "", "", ""), each.targets)
            for each in examples(EPITOME, 9)
        ]
        assert len(self.predicted(self.fitted(config, train=empty, dev=[]), examples(EPITOME, 3))) == 3


def share_right(on: list[Example], predictions: tuple[ItemPrediction, ...]) -> float:
    pairs = [
        (code.value, each.targets[code.code_id].value)
        for each, prediction in zip(on, predictions, strict=True)
        for code in prediction.codes
    ]
    return sum(said == gold for said, gold in pairs) / len(pairs)
