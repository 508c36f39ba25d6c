"""The encoder as a learner, on a tiny random backbone; and once on the real one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from annotation.answers import ItemText
from codebook.questions import model_questions
from codebook.shipped import load_shipped
from learning.tasks.progress import TrainingPoint
from ml_backend.encoder.backbone import BackboneMissing
from ml_backend.encoder.config import EncoderConfig
from ml_backend.encoder.learner import EncoderLora, OtherBackbone
from ml_backend.examples import Example
from ml_backend.learners.interface import Config, Input, WeightsUnreadable
from ml_backend.learners.shares import Majority
from tests.ml_backend.fixtures import example, examples, quiet
from tests.ml_backend.learners.contract import EPITOME, LearnerContract
from tests.ml_backend.learners.test_tfidf import share_right
from tests.ml_backend.tiny_backbone import make_backbone


def quick(backbone: str, **more: object) -> EncoderConfig:
    asked = {"backbone": backbone, "epochs": 1, "rank": 4, "alpha": 8, "max_tokens": 64, "overlap": 8}
    return EncoderConfig(**{**asked, **more})  # type: ignore[arg-type]


class TestEncoderLora(LearnerContract):
    learner_type = EncoderLora

    @pytest.fixture
    def config(self, tiny_backbone: str) -> EncoderConfig:
        return quick(tiny_backbone)

    @pytest.mark.parametrize("mode", list(Input))
    def test_it_learns_what_words_give_away(self, tiny_backbone: str, mode: Input) -> None:
        config = quick(tiny_backbone, input=mode, epochs=12, full=True, learning_rate=5e-3, patience=12)
        learner = self.fitted(config, train=examples(EPITOME, 96), dev=examples(EPITOME, 24, start=96))
        on = examples(EPITOME, 24, start=120)
        assert share_right(on, self.predicted(learner, on)) > 0.9

    def test_it_finds_the_words_behind_an_answer(self, tiny_backbone: str) -> None:
        config = quick(tiny_backbone, epochs=8, learning_rate=5e-3, patience=8, evidence_weight=2.0)
        learner = self.fitted(config, train=examples(EPITOME, 96))
        on = [each for each in examples(EPITOME, 24, start=120) if each.targets["explorations"].marks]
        hits = 0
        for each, prediction in zip(on, self.predicted(learner, on), strict=True):
            ((start, end),) = each.targets["explorations"].marks
            said = prediction.of("explorations")
            hits += bool(said and any(span.start < end and start < span.end for span in said.spans))
        assert hits / len(on) > 0.8

    def test_all_weights_can_be_trained_and_saved(self, tiny_backbone: str, tmp_path: Path) -> None:
        learner = self.fitted(quick(tiny_backbone, full=True))
        learner.save(tmp_path)
        assert {path.name for path in tmp_path.iterdir()} == {
            "encoder.safetensors",
            "heads.safetensors",
            "learner.json",
        }
        on = examples(EPITOME, 4, start=40)
        loaded = EncoderLora.load(tmp_path, model_questions(EPITOME))
        assert self.predicted(loaded, on) == self.predicted(learner, on)

    def test_what_lora_saves_is_a_peft_directory(self, config: Config, tmp_path: Path) -> None:
        self.learned(config).save(tmp_path)
        assert {path.name for path in tmp_path.iterdir()} == {
            "adapter_config.json",
            "adapter_model.safetensors",
            "heads.safetensors",
            "learner.json",
        }

    def test_another_seed_learns_otherwise(self, config: Config) -> None:
        on = examples(EPITOME, 4, start=40)
        first, second = (self.predicted(self.fitted(config, seed=seed), on) for seed in (1, 2))
        assert first != second

    def test_training_leaves_the_randomness_of_others_alone(self, config: Config) -> None:
        torch.manual_seed(1)
        before = torch.random.get_rng_state()
        self.fitted(config)
        assert torch.equal(before, torch.random.get_rng_state())

    def test_the_end_of_a_long_text_is_read(self, tiny_backbone: str) -> None:
        """And the beginning's answer stands though the text is many windows long."""
        learner = self.learned(quick(tiny_backbone, input=Input.ALONE))
        start = "a quiet day " * 200
        plain, signed = (
            Example(ItemText(name, "", "", start + end))
            for name, end in (("plain", "x"), ("signed", "sunshine"))
        )
        first, second = self.predicted(learner, [plain, signed])
        assert first.codes[0].probabilities != second.codes[0].probabilities

    def test_a_context_that_does_not_fit_is_counted_and_told(self, tiny_backbone: str) -> None:
        learner = self.learned(quick(tiny_backbone, input=Input.PAIR))
        long = Example(ItemText("long", "", "ab " * 300, "cd " * 300))
        told: list[str] = []
        (prediction,) = learner.predict([long], adapter_id="a", report=told.append)
        assert prediction.n_truncated == 600 - (64 - 3) // 2
        assert any("Context cut in 1 of 1 items" in line for line in told)
        assert any("overlapping windows: 1 of 1 items" in line for line in told)

    def test_the_bi_encoder_reads_the_context_and_cuts_nothing(self, tiny_backbone: str) -> None:
        config = quick(tiny_backbone, input=Input.BI_ENCODER, epochs=3, learning_rate=5e-3)
        learner = self.fitted(config)
        one = examples(EPITOME, 1, start=50)[0]
        other = replace(one, text=replace(one.text, post="clouds " * 300))
        (first,), (second,) = self.predicted(learner, [one]), self.predicted(learner, [other])
        assert first.codes[0].probabilities != second.codes[0].probabilities
        assert second.n_truncated == 0

    @pytest.mark.parametrize(("name", "n_parts"), [("epitome", 1), ("empathy-practices", 2)])
    def test_embeddings_are_of_the_text_and_not_of_its_company(
        self, config: Config, name: str, n_parts: int
    ) -> None:
        codebook = load_shipped(name)
        learner = self.learned(config, codebook)
        on = [*examples(codebook, 5, start=40), example(codebook, 60, reply=False)]
        found = learner.embed(on)
        assert found.shape == (6, 32 * n_parts) and found.dtype == np.float32
        np.testing.assert_allclose(learner.embed(on[::-1])[::-1], found, atol=1e-5)
        np.testing.assert_allclose(learner.embed(on[2:3])[0], found[2], atol=1e-5)
        assert not found[5, -32:].any() and found[:5].any(axis=1).all()
        assert learner.embed([]).shape == (0, 32 * n_parts)

    def test_training_stops_when_it_gets_no_better(self, tiny_backbone: str) -> None:
        told: list[str] = []
        points: list[TrainingPoint] = []
        learner = EncoderLora(
            model_questions(EPITOME), quick(tiny_backbone, epochs=40, patience=2, learning_rate=1e-9)
        )
        learner.fit(
            *(examples(EPITOME, 8), examples(EPITOME, 8, start=8)),
            seed=1,
            report=told.append,
            on_point=points.append,
        )
        assert told[-1].startswith("Stopped: no better for 2 epochs")
        assert points[0].n_steps > points[-1].n_steps == points[-1].step

    def test_a_backbone_with_other_weights_is_refused(self, tmp_path: Path) -> None:
        backbone = make_backbone(tmp_path / "own")
        (tmp_path / "saved").mkdir()
        self.fitted(quick(backbone)).save(tmp_path / "saved")
        make_backbone(tmp_path / "own", seed=6)
        with pytest.raises(OtherBackbone, match="other weights"):
            EncoderLora.load(tmp_path / "saved", model_questions(EPITOME))

    def test_a_backbone_that_is_not_there_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(BackboneMissing, match="no such folder"):
            self.fitted(quick(str(tmp_path / "nowhere")))

    def test_a_backbone_of_pickled_weights_is_not_opened(self, tmp_path: Path) -> None:
        backbone = make_backbone(tmp_path / "own")
        (tmp_path / "own" / "model.safetensors").rename(tmp_path / "own" / "pytorch_model.bin")
        with pytest.raises(BackboneMissing):
            self.fitted(quick(backbone))

    def test_heads_of_another_codebook_are_refused(self, config: Config, tmp_path: Path) -> None:
        self.learned(config).save(tmp_path)
        other, here = tmp_path / "other", tmp_path / "heads.safetensors"
        other.mkdir()
        self.learned(config, load_shipped("construct-ratings")).save(other)
        here.write_bytes((other / "heads.safetensors").read_bytes())
        with pytest.raises(WeightsUnreadable):
            EncoderLora.load(tmp_path, model_questions(EPITOME))


@pytest.mark.slow
def test_the_backbone_that_comes_along_beats_the_majority() -> None:
    config = EncoderConfig(epochs=3, max_tokens=64)
    train, dev, on = examples(EPITOME, 48), examples(EPITOME, 15, start=48), examples(EPITOME, 30, start=63)
    shares = []
    for learner in (
        EncoderLora(model_questions(EPITOME), config),
        Majority(model_questions(EPITOME), Config()),
    ):
        learner.fit(train, dev, seed=1, report=quiet)
        shares.append(share_right(on, learner.predict(on, adapter_id="a", report=quiet)))
    assert shares[0] > 0.8 > 0.5 > shares[1]
