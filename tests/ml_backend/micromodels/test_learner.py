"""Micromodels as a learner: their contract, what they need, and what they show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from codebook.questions import model_questions
from codebook.shipped import load_shipped
from learning.micromodels import MICROMODELS, read_micromodels
from ml_backend.encoder.learner import NotFitted, OtherBackbone
from ml_backend.examples import Example, Target
from ml_backend.learners.interface import Config, Input, NotExplained, WeightsUnreadable
from ml_backend.learners.scores import softmax
from ml_backend.learners.shares import Majority
from ml_backend.micromodels.config import MicromodelsConfig
from ml_backend.micromodels.learner import MicromodelsLearner
from ml_backend.micromodels.reading import Sentences, remembering_sentences
from ml_backend.micromodels.seeds import NoMarkedWords
from ml_backend.micromodels.stored import VECTORS
from tests.ml_backend.fixtures import SIGNS, example, examples, quiet
from tests.ml_backend.learners.contract import LearnerContract
from tests.ml_backend.learners.test_tfidf import share_right
from tests.ml_backend.tiny_backbone import make_backbone

EPITOME = load_shipped("epitome")


class TestMicromodels(LearnerContract):
    learner_type = MicromodelsLearner

    @pytest.fixture
    def config(self, tiny_backbone: str) -> Config:
        return MicromodelsConfig(backbone=tiny_backbone, groups=2, bags=1)

    @pytest.mark.parametrize("name", ["own", "empathy-cause"])
    def test_one_answer_in_training_is_enough(self, config: Config, name: str) -> None:
        """Not where that answer is that nothing is there: then no words are marked, and that is said."""
        codebook = self.codebook if name == "own" else load_shipped(name)
        only = [example(codebook, 3 * number) for number in range(8)]
        with pytest.raises(NoMarkedWords, match="needs marked words"):
            self.fitted(config, codebook, train=only, dev=only)

    def test_it_finds_what_is_like_what_was_marked(self, config: Config) -> None:
        learner = self.fitted(config, train=examples(EPITOME, 45))
        on = examples(EPITOME, 30, start=60)
        found = self.predicted(learner, on)
        assert share_right(on, found) > 0.9
        for each, prediction in zip(on, found, strict=True):
            for code in prediction.codes:
                assert bool(code.spans) is bool(code.value), "there are words wherever a code is found"
                said = [(each.text.reply or "")[span.start : span.end] for span in code.spans]
                assert not code.value or any(SIGNS[code.value] in words for words in said)


def fitted(
    config: MicromodelsConfig, train: list[Example], said: list[str] | None = None
) -> MicromodelsLearner:
    learner = MicromodelsLearner(model_questions(EPITOME), config)
    report = quiet if said is None else said.append
    learner.fit(train, examples(EPITOME, 12, start=24), seed=1, report=report)
    return learner


@pytest.fixture(scope="module")
def config(tiny_backbone: str) -> MicromodelsConfig:
    return MicromodelsConfig(backbone=tiny_backbone, groups=2, bags=1)


def test_a_code_without_marked_words_is_left_out_where_others_have_some(config: MicromodelsConfig) -> None:
    first, *others = (question.code_id for question in model_questions(EPITOME))
    train = [
        replace(each, targets={**each.targets, first: Target(each.targets[first].value, 1.0)})
        for each in examples(EPITOME, 24)
    ]
    said: list[str] = []
    learner = fitted(config, train, said)
    assert any(f"no words are marked for it: {first}" in line for line in said)
    (found,) = learner.predict([example(EPITOME, 41)], adapter_id="a", report=quiet)
    assert [code.code_id for code in found.codes] == others


def test_its_folder_holds_seeds_and_curves_and_says_the_same_again(
    config: MicromodelsConfig, tmp_path: Path
) -> None:
    learner = fitted(config, examples(EPITOME, 24))
    learner.save(tmp_path)
    kept = read_micromodels(tmp_path)
    assert {seed for group in kept["interpretations"].groups for seed in group} == {
        f"{sign}." for sign in SIGNS[1:]
    }
    on = examples(EPITOME, 6, start=40)
    loaded = MicromodelsLearner.load(tmp_path, model_questions(EPITOME))
    assert loaded.seeds() == learner.seeds()
    assert list(loaded.explain(on, adapter_id="a")) == list(learner.explain(on, adapter_id="a"))
    for name in (VECTORS, MICROMODELS):
        intact = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(b"nothing")
        with pytest.raises(WeightsUnreadable):
            MicromodelsLearner.load(tmp_path, model_questions(EPITOME))
        (tmp_path / name).write_bytes(intact)
    learner.config = msgspec.structs.replace(config, backbone=make_backbone(tmp_path / "other", seed=9))
    learner.save(tmp_path)
    with pytest.raises(OtherBackbone):
        MicromodelsLearner.load(tmp_path, model_questions(EPITOME))


def test_a_context_is_looked_at_on_demand(config: MicromodelsConfig, tmp_path: Path) -> None:
    learner = fitted(msgspec.structs.replace(config, input=Input.PAIR), examples(EPITOME, 24))
    features = [curve.feature for curve in learner.models["interpretations"].curves]
    assert features[-2:] == ["seeds in the post", "likeness to the post"]
    learner.save(tmp_path)
    loaded = MicromodelsLearner.load(tmp_path, model_questions(EPITOME))
    on = [
        example(EPITOME, 41),
        replace(example(EPITOME, 42), text=replace(example(EPITOME, 42).text, post="")),
    ]
    said = learner.predict(on, adapter_id="a", report=quiet)
    assert loaded.predict(on, adapter_id="a", report=quiet) == said and len(said) == 2
    (why,) = learner.explain(on[1:], adapter_id="a")
    beside = {added.feature: added.value for added in why.codes[0].added}
    assert beside["seeds in the post"] == beside["likeness to the post"] == 0.0


def test_an_explanation_adds_up_to_the_answer_and_names_the_seed_that_fired(
    config: MicromodelsConfig,
) -> None:
    learner = fitted(config, examples(EPITOME, 24))
    on = [example(EPITOME, 41), example(EPITOME, 42)]
    predictions = learner.predict(on, adapter_id="a", report=quiet)
    for each, explained, said in zip(on, learner.explain(on, adapter_id="a"), predictions, strict=True):
        assert explained.item_id == said.item_id == each.item_id
        for why, code in zip(explained.codes, said.codes, strict=True):
            assert (why.code_id, why.value) == (code.code_id, code.value)
            logits = [
                intercept + sum(dict(added.heights)[value] for added in why.added)
                for value, intercept in why.intercepts
            ]
            rule = learner.rules[code.code_id]
            shares = softmax(np.array(logits) / rule.temperature).tolist()
            assert shares == pytest.approx([share for _, share in code.probabilities])
            assert why.fired[0].likeness == max(fired.likeness for fired in why.fired)
    sure = next(iter(learner.explain([example(EPITOME, 41)], adapter_id="a"))).codes[0]
    reply = on[0].text.reply or ""
    assert SIGNS[2] in sure.fired[0].seed and SIGNS[2] in reply[sure.fired[0].start : sure.fired[0].end]


def test_one_that_cannot_explain_says_so() -> None:
    with pytest.raises(NotExplained, match="leave out --explain"):
        Majority(model_questions(EPITOME), Majority.config_type()).explain([], adapter_id="a")
    with pytest.raises(NotFitted):
        MicromodelsLearner(model_questions(EPITOME), MicromodelsConfig()).predict(
            examples(EPITOME, 1), adapter_id="a", report=quiet
        )


def test_a_threshold_that_is_given_is_taken_and_words_are_left_out_on_demand(
    config: MicromodelsConfig,
) -> None:
    learner = fitted(msgspec.structs.replace(config, threshold=0.7), examples(EPITOME, 24))
    assert {rule.mark_threshold for rule in learner.rules.values()} == {0.7}
    silent = fitted(msgspec.structs.replace(config, evidence=False), examples(EPITOME, 24))
    on = examples(EPITOME, 6, start=40)
    found = silent.predict(on, adapter_id="a", report=quiet)
    assert not any(code.spans for each in found for code in each.codes)
    assert any(code.value for each in found for code in each.codes)


def test_so_many_seeds_are_kept_as_are_asked_for(config: MicromodelsConfig) -> None:
    learner = fitted(msgspec.structs.replace(config, seeds_per_code=1), examples(EPITOME, 24))
    assert {len(seeds) for seeds in learner.seeds().values()} == {1}


def test_what_is_remembered_is_not_read_again_and_is_the_same(config: MicromodelsConfig) -> None:
    learner = fitted(config, examples(EPITOME, 24))
    asked = Sentences({"Why is that?": 0, "I see.": 1})
    asked.read(learner.encoder, 0.2)
    with remembering_sentences():
        for sentences in (Sentences({"Why is that?": 0, "I see.": 1}), Sentences({"I see.": 0})):
            sentences.read(learner.encoder, 0.2)
            assert sentences.vectors[-1].tolist() == pytest.approx(asked.vectors[1].tolist(), abs=1e-6)
    question, answer = asked.vectors
    same = Sentences({"Why is that!": 0})
    same.read(learner.encoder, 0.0)
    assert float(same.vectors[0] @ same.vectors[0]) == pytest.approx(1.0, abs=1e-6)
    assert question[-3:].tolist() != answer[-3:].tolist(), "how they end stands beside what they say"
