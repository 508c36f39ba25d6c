"""Frozen layers: the two halves say what the whole says, and what is frozen stays as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from transformers import MPNetConfig, MPNetModel

from codebook.questions import model_questions
from ml_backend.encoder.backbone import BackboneUnfit, load_backbone
from ml_backend.encoder.layers import Halves, inputs_of
from ml_backend.encoder.learner import EncoderLora
from ml_backend.encoder.packing import make_pack
from ml_backend.encoder.windows import Window
from tests.ml_backend.encoder.test_learner import quick
from tests.ml_backend.fixtures import examples, quiet
from tests.ml_backend.learners.contract import EPITOME
from tests.ml_backend.learners.test_tfidf import share_right

WINDOWS = [Window((2, *range(5, 5 + n), 3), (0,) * (n + 2), range(n + 1)) for n in (3, 9, 20)]


def mpnet() -> MPNetModel:
    torch.manual_seed(1)
    config = MPNetConfig(
        vocab_size=60,
        hidden_size=32,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=48,
        max_position_embeddings=64,
    )
    model: MPNetModel = MPNetModel(config, add_pooling_layer=False).eval()
    return model


@pytest.mark.parametrize("kind", ["bert", "mpnet"])
def test_the_halves_say_what_the_whole_says(tiny_backbone: str, kind: str) -> None:
    model = mpnet() if kind == "mpnet" else load_backbone(tiny_backbone, quiet).model
    halves = Halves.of(model, 1)
    halves.remember(WINDOWS, pad=0, takes_types=kind == "bert")
    pack = make_pack(WINDOWS, pad=0)
    with torch.no_grad():
        whole = model(**inputs_of(pack, kind == "bert")).last_hidden_state
        found = halves.states(pack)
    for row, window in enumerate(WINDOWS):
        n = len(window.ids)
        torch.testing.assert_close(found[row, :n], whole[row, :n])


@pytest.mark.parametrize("full", [False, True])
def test_what_is_frozen_stays_and_the_rest_learns(tiny_backbone: str, tmp_path: Path, full: bool) -> None:
    config = quick(
        tiny_backbone, epochs=12, patience=12, learning_rate=5e-3, frozen_layers=1, full=full, rank=16
    )
    learner = EncoderLora(model_questions(EPITOME), config)
    train, dev, on = examples(EPITOME, 96), examples(EPITOME, 24, start=96), examples(EPITOME, 24, start=120)
    learner.fit(train, dev, seed=3, report=quiet)
    predictions = learner.predict(on, adapter_id="a", report=quiet)
    assert share_right(on, predictions) > 0.6
    learner.save(tmp_path)
    names = load_file(tmp_path / ("encoder.safetensors" if full else "adapter_model.safetensors"))
    assert names and all("layer.1." in name for name in names)
    loaded = EncoderLora.load(tmp_path, model_questions(EPITOME))
    assert loaded.predict(on, adapter_id="a", report=quiet) == predictions


def test_at_least_one_layer_has_to_learn(tiny_backbone: str) -> None:
    learner = EncoderLora(model_questions(EPITOME), quick(tiny_backbone, frozen_layers=2))
    with pytest.raises(BackboneUnfit, match="it has 2"):
        learner.fit(examples(EPITOME, 8), [], seed=1, report=quiet)
