"""Instruct models with low-rank additions, on tiny random ones; and once on the real one that a package carries."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from codebook.questions import ModelQuestion, model_questions
from learning.tasks.progress import TrainingPoint
from ml_backend.encoder.learner import OtherBackbone
from ml_backend.generative.config import FourBit, GenerativeConfig
from ml_backend.generative.learner import GenerativeLora
from ml_backend.generative.model import FourBitImpossible, ModelMissing, ModelUnfit
from ml_backend.learners.checkpoint import Checkpoint
from ml_backend.learners.interface import Config, Input, WeightsUnreadable
from tests.ml_backend.fixtures import examples, quiet
from tests.ml_backend.learners.contract import EPITOME, LearnerContract
from tests.ml_backend.learners.test_tfidf import share_right
from tests.ml_backend.tiny_instruct import FAMILIES, make_instruct

EXPLORATIONS: list[ModelQuestion] = [
    each for each in model_questions(EPITOME) if each.code_id == "explorations"
]


def quick(backbone: str, **more: object) -> GenerativeConfig:
    asked = {
        "backbone": backbone,
        "epochs": 1,
        "rank": 4,
        "at_once": 8,
        "learning_rate": 1e-3,
        "answer_tokens": 24,
        "max_tokens": 1024,
    }
    return GenerativeConfig(**{**asked, **more})  # type: ignore[arg-type]


class TestGenerativeLora(LearnerContract):
    learner_type = GenerativeLora
    n_train, n_dev, n_asked = 6, 3, 3

    @pytest.fixture
    def config(self, tiny_instruct: str) -> GenerativeConfig:
        return quick(tiny_instruct, answer_tokens=12)

    def test_training_leaves_the_randomness_of_others_alone(self, config: Config) -> None:
        torch.manual_seed(1)
        before = torch.random.get_rng_state()
        learned(config)
        assert torch.equal(before, torch.random.get_rng_state())


def learned(config: Config, n: int = 12, *, seed: int = 3, **more: object) -> GenerativeLora:
    """On one code, which is enough for most."""
    learner = GenerativeLora(EXPLORATIONS, config)
    asked = {"report": quiet, **more}
    learner.fit(examples(EPITOME, n), examples(EPITOME, 6, start=n), seed=seed, **asked)  # type: ignore[arg-type]
    return learner


@pytest.mark.parametrize("four_bit", [FourBit.NO, FourBit.YES])
@pytest.mark.parametrize("family", FAMILIES)
def test_phi_llama_and_mistral_learn_save_and_load_plainly_and_in_four_bits(
    family: str, four_bit: FourBit, tmp_path: Path
) -> None:
    backbone = make_instruct(tmp_path / "model", family)
    points: list[TrainingPoint] = []
    config = quick(backbone, epochs=3, learning_rate=5e-3, batch_size=6, four_bit=four_bit)
    told: list[str] = []
    learner = learned(config, on_point=points.append, report=told.append)
    assert points[-1].loss < points[0].loss - 0.5
    (tmp_path / "saved").mkdir()
    learner.save(tmp_path / "saved")
    assert {path.name for path in (tmp_path / "saved").iterdir()} == {
        "adapter_config.json",
        "adapter_model.safetensors",
        "learner.json",
    }
    on = examples(EPITOME, 4, start=40)
    loaded = GenerativeLora.load(tmp_path / "saved", model_questions(EPITOME))
    assert loaded.predict(on, adapter_id="a", report=quiet) == learner.predict(
        on, adapter_id="a", report=quiet
    )
    assert any("in 4 bits" in line for line in told) == (four_bit is FourBit.YES)


def test_weights_in_four_bits_are_trained_on_after_a_prediction(tmp_path: Path) -> None:
    """Some CPUs repack such weights when they predict, and gradients through repacked ones are wrong."""
    config = quick(
        make_instruct(tmp_path / "model"), epochs=2, learning_rate=5e-3, batch_size=6, four_bit=FourBit.YES
    )
    with_dev, without = (GenerativeLora(EXPLORATIONS, config) for _ in range(2))
    losses: dict[bool, list[float]] = {True: [], False: []}
    for learner, has_dev in ((with_dev, True), (without, False)):
        learner.fit(
            examples(EPITOME, 12),
            examples(EPITOME, 6, start=12) if has_dev else [],
            seed=1,
            report=quiet,
            on_point=lambda point, has_dev=has_dev: losses[has_dev].append(point.loss),  # type: ignore[misc]
        )
    assert losses[True] == losses[False]


@pytest.mark.slow
def test_it_learns_answers_and_the_words_behind_them(tiny_instruct: str) -> None:
    """From random weights: answers are nearly all right, JSON is valid, and quotes are copied out of the text."""
    config = quick(
        tiny_instruct, epochs=6, patience=6, learning_rate=1e-2, batch_size=8, rank=16, answer_tokens=40
    )
    learner = GenerativeLora(EXPLORATIONS, config)
    learner.fit(examples(EPITOME, 96), examples(EPITOME, 24, start=96), seed=1, report=quiet)
    on = examples(EPITOME, 24, start=120)
    told: list[str] = []
    predictions = learner.predict(on, adapter_id="a", report=told.append)
    assert share_right(on, predictions) > 0.9
    marks = [each.targets["explorations"].marks for each in on]
    said = [tuple((span.start, span.end) for span in each.codes[0].spans) for each in predictions]
    shown = [(gold, found) for gold, found in zip(marks, said, strict=True) if gold]
    assert sum(gold == found for gold, found in shown) / len(shown) > 0.8
    assert not any("no valid JSON" in line for line in told)


@pytest.mark.parametrize("stops", [(2,), (3, 5)])
def test_a_stopped_training_ends_as_one_that_was_not(
    tiny_instruct: str, tmp_path: Path, stops: tuple[int, ...]
) -> None:
    class Stopped(Exception):
        """In the place of a kill: what is on the disk is all that is left."""

    config = quick(tiny_instruct, epochs=3, batch_size=6)
    checkpoint = Checkpoint(tmp_path / "checkpoints", "key", seconds=0.0)
    for stop in stops:

        def on_point(point: TrainingPoint, stop: int = stop) -> None:
            if point.step >= stop:
                raise Stopped

        with pytest.raises(Stopped):
            learned(config, checkpoint=checkpoint, on_point=on_point)
    told: list[str] = []
    files = []
    for name, kept in (("whole", None), ("resumed", checkpoint)):
        (tmp_path / name).mkdir()
        learned(config, checkpoint=kept, report=told.append).save(tmp_path / name)
        files.append({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()})
    assert files[0] == files[1]
    assert sum(line.startswith("Going on from a checkpoint") for line in told) == 1


def test_training_stops_when_it_gets_no_better(tiny_instruct: str) -> None:
    told: list[str] = []
    learned(quick(tiny_instruct, epochs=20, learning_rate=1e-12, patience=2), 4, report=told.append)
    assert any(line.startswith("Stopped: no better for 2 epochs") for line in told)


def test_what_is_cut_is_counted_and_told(tiny_instruct: str) -> None:
    learner = learned(quick(tiny_instruct, input=Input.PAIR, max_tokens=640))
    long = examples(EPITOME, 1, start=40)[0]
    text = long.text.__class__("long", "", "cloudy " * 2000, long.text.reply)
    told: list[str] = []
    (prediction,) = learner.predict([long.__class__(text)], adapter_id="a", report=told.append)
    assert prediction.n_truncated > 1000
    assert any("Texts cut in 1 of 1 items" in line for line in told)


def test_another_seed_learns_otherwise(tiny_instruct: str) -> None:
    on = examples(EPITOME, 3, start=40)
    first, second = (
        learned(quick(tiny_instruct), seed=seed).predict(on, adapter_id="a", report=quiet) for seed in (1, 2)
    )
    assert first != second


def test_a_model_with_other_weights_is_refused(tmp_path: Path) -> None:
    backbone = make_instruct(tmp_path / "own")
    (tmp_path / "saved").mkdir()
    learned(quick(backbone), 4).save(tmp_path / "saved")
    weights = tmp_path / "saved" / "adapter_model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-9])
    with pytest.raises(WeightsUnreadable):
        GenerativeLora.load(tmp_path / "saved", model_questions(EPITOME))
    make_instruct(tmp_path / "own", seed=6)
    with pytest.raises(OtherBackbone, match="other weights"):
        GenerativeLora.load(tmp_path / "saved", model_questions(EPITOME))


def test_a_model_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="no such folder"):
        learned(quick(str(tmp_path / "nowhere")))
    own = tmp_path / "own"
    backbone = make_instruct(own)
    (own / "model.safetensors").rename(own / "pytorch_model.bin")
    with pytest.raises(ModelMissing):
        learned(quick(backbone))
    make_instruct(own)
    (own / "chat_template.jinja").unlink()
    with pytest.raises(ModelUnfit, match="no chat template"):
        learned(quick(backbone))
    with pytest.raises(FourBitImpossible, match="--four-bit no"):
        learned(GenerativeConfig(four_bit=FourBit.YES))


@pytest.mark.soak
@pytest.mark.slow
def test_the_model_that_a_package_carries_takes_a_step() -> None:
    """SmolLM2: it loads, a step on one item lowers its loss, and it answers. Loaded once, since that takes long."""
    points: list[TrainingPoint] = []
    config = GenerativeConfig(epochs=2, learning_rate=5e-4, answer_tokens=8, evidence=False)
    learner = GenerativeLora(EXPLORATIONS, config)
    learner.fit(examples(EPITOME, 1), [], seed=1, report=quiet, on_point=points.append)
    assert len(points) == 2 and points[1].loss < points[0].loss - 0.1
    (prediction,) = learner.predict(examples(EPITOME, 1, start=41), adapter_id="a", report=quiet)
    assert sum(p for _, p in prediction.codes[0].probabilities) == pytest.approx(1)


@pytest.mark.soak
@pytest.mark.slow
def test_the_model_that_a_package_carries_learns(tmp_path: Path) -> None:
    """SmolLM2: a few steps on a few items lower the loss, and what is saved predicts the same."""
    points: list[TrainingPoint] = []
    config = GenerativeConfig(epochs=3, batch_size=2, at_once=1, learning_rate=5e-4, answer_tokens=24)
    learner = GenerativeLora(EXPLORATIONS, config)
    learner.fit(examples(EPITOME, 4), [], seed=1, report=quiet, on_point=points.append)
    assert points[-1].loss < points[0].loss - 0.3
    on = examples(EPITOME, 1, start=41)
    predictions = learner.predict(on, adapter_id="a", report=quiet)
    for prediction in predictions:
        assert sum(p for _, p in prediction.codes[0].probabilities) == pytest.approx(1)
    learner.save(tmp_path)
    loaded = GenerativeLora.load(tmp_path, model_questions(EPITOME))
    assert loaded.predict(on, adapter_id="a", report=quiet) == predictions
