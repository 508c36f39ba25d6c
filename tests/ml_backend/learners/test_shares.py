"""The baselines that read nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from codebook.questions import model_questions
from codebook.shipped import load_shipped
from ml_backend.examples import Target
from ml_backend.learners.interface import Config
from ml_backend.learners.shares import Majority, RandomByShare
from tests.ml_backend.fixtures import examples, quiet
from tests.ml_backend.learners.contract import EPITOME, LearnerContract
from tests.ml_backend.learners.sentence_contract import CAUSES, talks

CODE = "emotional-reactions"
RATINGS = load_shipped("construct-ratings")
RATED = {1: 40, 3: 25, 5: 35}


def ratings(learner_type: type[Majority | RandomByShare], n: int) -> Counter[int]:
    """What a learner says of n texts after a training part with 40 ones, 25 threes and 35 fives."""
    question = model_questions(RATINGS)[0]
    values = [value for value, times in RATED.items() for _ in range(times)]
    train = [
        replace(each, targets={question.code_id: Target(value, 1.0)})
        for each, value in zip(examples(RATINGS, 100), values, strict=True)
    ]
    learner = learner_type([question], Config())
    learner.fit(train, [], seed=1, report=quiet)
    said = learner.predict(examples(RATINGS, n), adapter_id="a", report=quiet)
    return Counter(each.codes[0].value for each in said)


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

    def test_the_commonest_rating_is_said_and_not_the_middle_one(self) -> None:
        assert ratings(Majority, 10) == {1: 10}


class TestRandomByShare(LearnerContract):
    learner_type = RandomByShare

    @pytest.fixture
    def config(self) -> Config:
        return Config()

    def test_answers_come_as_often_as_in_training(self, config: Config) -> None:
        learner = self.learned(config)
        drawn = Counter(each.codes[0].value for each in self.predicted(learner, examples(EPITOME, 1500)))
        assert all(drawn[value] == pytest.approx(500, abs=75) for value in (0, 1, 2))

    def test_another_seed_draws_others(self, config: Config) -> None:
        on = examples(EPITOME, 20)
        first, second = (self.predicted(self.fitted(config, seed=seed), on) for seed in (1, 2))
        assert first != second

    def test_ratings_come_as_often_as_in_training(self) -> None:
        drawn = ratings(RandomByShare, 1000)
        assert set(drawn) == set(RATED)
        assert all(drawn[value] == pytest.approx(10 * times, abs=60) for value, times in RATED.items())

    def test_each_sentence_has_a_draw_of_its_own(self, config: Config) -> None:
        """One in four sentences is marked in training; an item with marks need not have all of them."""
        learner = RandomByShare(model_questions(CAUSES), config)
        learner.fit(talks(40), [], seed=1, report=quiet)
        on = talks(300, start=100)
        said = learner.predict(on, adapter_id="a", report=quiet)
        n_marked = Counter(len(each.codes[0].spans) for each in said)
        assert sum(n * times for n, times in n_marked.items()) == pytest.approx(300, abs=45)
        assert n_marked[1] > n_marked[2] > n_marked[3] > n_marked[4]
        assert learner.predict(on[::-1], adapter_id="a", report=quiet) == said[::-1]
