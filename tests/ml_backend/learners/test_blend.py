"""Encoder and counted words as one learner."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from codebook.questions import model_questions
from codebook.shipped import load_shipped
from ml_backend.learners.blend import BlendConfig, EncoderTfidf, blend_scores, soften
from ml_backend.learners.interface import Config
from ml_backend.learners.scores import Scores
from tests.ml_backend.fixtures import examples, quiet
from tests.ml_backend.learners.contract import EPITOME, LearnerContract

LEVELS = model_questions(EPITOME)[0]
SENTENCES = model_questions(load_shipped("empathy-cause"))[0]
SURE, UNSURE = np.log([0.98, 0.01, 0.01]), np.log([0.34, 0.33, 0.33])


class TestEncoderTfidf(LearnerContract):
    learner_type = EncoderTfidf

    @pytest.fixture
    def config(self, tiny_backbone: str) -> BlendConfig:
        return BlendConfig(backbone=tiny_backbone, epochs=1, rank=4, alpha=8, max_tokens=64, overlap=8)

    def test_it_is_saved_as_two_learners_in_one_folder(self, config: Config, tmp_path: Path) -> None:
        self.learned(config).save(tmp_path)
        assert {path.name for path in tmp_path.iterdir()} == {"learner.json", "encoder", "words"}
        assert (tmp_path / "encoder" / "adapter_model.safetensors").is_file()
        assert (tmp_path / "words" / "linear.safetensors").is_file()

    def test_a_share_of_all_is_what_the_words_say_alone(self, config: BlendConfig) -> None:
        on = examples(EPITOME, 6, start=40)
        learner = self.fitted(msgspec.structs.replace(config, words_share=1.0))
        assert isinstance(learner, EncoderTfidf)
        alone = learner.words.predict(on, adapter_id="a", report=quiet)
        for both, words in zip(self.predicted(learner, on), alone, strict=True):
            for code in both.codes:
                other = words.of(code.code_id)
                assert other is not None and code.value == other.value


def test_each_is_as_sure_as_it_was_found_to_be() -> None:
    found = soften(LEVELS, Scores(2 * SURE), 2.0)
    np.testing.assert_allclose(found.logits, SURE)


def test_the_words_behind_an_answer_are_those_of_the_first() -> None:
    marks = np.array([1.0, -1.0])
    found = blend_scores(LEVELS, Scores(SURE, ((0, 1), (2, 3)), marks), Scores(UNSURE), 0.5)
    assert found.marks is marks and found.logits.tolist() == ((SURE + UNSURE) / 2).tolist()


def test_sentences_are_marked_by_both() -> None:
    places = ((0, 4), (5, 9))
    first, second = (Scores(np.zeros(0), places, np.array(marks)) for marks in ([2.0, -2.0], [0.0, 4.0]))
    found = blend_scores(SENTENCES, first, second, 0.25)
    assert found.marks is not None and found.marks.tolist() == [1.5, -0.5]
