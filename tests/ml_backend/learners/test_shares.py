"""The baselines that read nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from codebook.questions import model_questions
from ml_backend.examples import Target
from ml_backend.learners.interface import Config
from ml_backend.learners.shares import Majority, RandomByShare
from tests.ml_backend.learners.contract import EPITOME, LearnerContract
from tests.ml_backend.scene import examples, quiet

CODE = "emotional-reactions"


class TestMajority(LearnerContract):
    learner_type = Majority

    @pytest.fixture
    def config(self) -> Config:
        return Config()

    def test_weights_count(self, config: Config) -> None:
        strong = {CODE: Target(2, 5.0)}
        train = [
            replace(each, targets=strong if at == 0 else {CODE: Target(0, 1.0)})
            for at, each in enumerate(examples(EPITOME, 4))
        ]
        question = [each for each in model_questions(EPITOME) if each.code_id == CODE]
        learner = Majority(question, config)
        learner.fit(train, [], seed=1, report=quiet)
        said = learner.predict(examples(EPITOME, 1), adapter_id="a", report=quiet)[0].codes[0]
        assert said.value == 2
        assert dict(said.probabilities) == pytest.approx({0: 3 / 8, 1: 0.0, 2: 5 / 8})


class TestRandomByShare(LearnerContract):
    learner_type = RandomByShare

    @pytest.fixture
    def config(self) -> Config:
        return Config()

    def test_answers_come_as_often_as_in_training(self, config: Config) -> None:
        learner = self.fitted(config)
        drawn = Counter(each.codes[0].value for each in self.predicted(learner, examples(EPITOME, 1500)))
        assert all(drawn[value] == pytest.approx(500, abs=75) for value in (0, 1, 2))

    def test_another_seed_draws_others(self, config: Config) -> None:
        on = examples(EPITOME, 20)
        first, second = (self.predicted(self.fitted(config, seed=seed), on) for seed in (1, 2))
        assert first != second
