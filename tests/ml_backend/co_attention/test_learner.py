"""The co-attention network as a learner: its contract, its variants, and going on after a kill."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from safetensors.numpy import load_file

from codebook.questions import model_questions
from codebook.schema import Part
from learning.tasks.progress import TrainingPoint
from ml_backend.co_attention.config import CoAttentionConfig, Loss, Pooling
from ml_backend.co_attention.learner import WEIGHTS, CoAttentionLearner
from ml_backend.co_attention.preparing import VectorMemory
from ml_backend.encoder.learner import NotFitted, OtherBackbone
from ml_backend.examples import Example
from ml_backend.learners.checkpoint import Checkpoint
from ml_backend.learners.interface import Config, WeightsUnreadable
from ml_backend.learners.registry import InvalidOption, make_config
from tests.ml_backend.fixtures import example, quiet
from tests.ml_backend.learners.sentence_contract import (
    CAUSES,
    CODE,
    SentenceContract,
    marked_places,
    talk,
    talks,
)
from tests.ml_backend.tiny_backbone import make_backbone


class TestCoAttention(SentenceContract):
    learner_type = CoAttentionLearner
    n_train, n_dev = 12, 6

    @pytest.fixture
    def config(self, tiny_backbone: str) -> Config:
        return CoAttentionConfig(backbone=tiny_backbone, epochs=2, hidden=8)


VARIANTS: dict[str, dict[str, object]] = {
    "simple": {"attention": False},
    "cls": {"pooling": Pooling.CLS},
    "weights": {"loss": Loss.CROSS_ENTROPY, "positive_weight": 11.0},
    "published": {"layers": 0, "hidden": 0, "relations": False, "trees": 0, "loss": Loss.FOCAL},
    "one hidden layer": {"layers": 0, "trees": 0},
    "no relations": {"relations": False},
    "no positions": {"positions": False},
    "trained": {"train_backbone": True},
    "upper layer trained": {"train_backbone": True, "frozen_layers": 1},
}


def fitted(config: CoAttentionConfig, train: list[Example], **more: object) -> CoAttentionLearner:
    learner = CoAttentionLearner(model_questions(CAUSES), config)
    learner.fit(train, talks(6, start=50), seed=2, report=quiet, **more)  # type: ignore[arg-type]
    return learner


@pytest.mark.parametrize("name", VARIANTS)
def test_each_variant_learns_saves_and_says_the_same_again(
    name: str, tiny_backbone: str, tmp_path: Path
) -> None:
    config = msgspec.structs.replace(
        CoAttentionConfig(backbone=tiny_backbone, epochs=1, hidden=4), **VARIANTS[name]
    )
    learner = fitted(config, talks(12))
    on = talks(5, start=80)
    said = learner.predict(on, adapter_id="a", report=quiet)
    learner.save(tmp_path)
    assert any("backbone" in each for each in load_file(tmp_path / WEIGHTS)) == config.train_backbone
    loaded = CoAttentionLearner.load(tmp_path, model_questions(CAUSES))
    assert loaded.predict(on, adapter_id="a", report=quiet) == said


def test_positions_and_emotions_are_learned_where_the_release_has_them(tiny_backbone: str) -> None:
    config = CoAttentionConfig(
        backbone=tiny_backbone,
        epochs=30,
        patience=30,
        learning_rate=1e-2,
        hidden=16,
        accumulate=1,
        dropout=0.0,
    )
    learner = fitted(config, talks(60))
    on = [talk(91, emotion="joy"), talk(92, emotion="anger")]
    found = learner.predict(on, adapter_id="a", report=quiet)
    assert [marked_places(*each) for each in zip(on, found, strict=True)] == [[3], [0]]


def test_words_are_learned_where_they_tell(tiny_backbone: str) -> None:
    """Without positions, from what a sentence says."""
    config = CoAttentionConfig(
        backbone=tiny_backbone,
        epochs=15,
        learning_rate=1e-2,
        hidden=8,
        positions=False,
        patience=15,
        accumulate=1,
        dropout=0.1,
    )
    train = [example(CAUSES, number) for number in range(36)]
    learner = CoAttentionLearner(model_questions(CAUSES), config)
    learner.fit(train, train[:12], seed=1, report=quiet)
    on = [example(CAUSES, number) for number in range(60, 75)]
    found = learner.predict(on, adapter_id="a", report=quiet)
    right = [
        {(span.start, span.end) for span in prediction.codes[0].spans}
        == set(each.targets["empathy-cause"].marks)
        for each, prediction in zip(on, found, strict=True)
    ]
    assert sum(right) >= 13


def test_a_reply_that_is_missing_is_looked_at_as_nothing(tiny_backbone: str) -> None:
    learner = fitted(CoAttentionConfig(backbone=tiny_backbone, epochs=1), talks(12))
    on = replace(talk(1), text=replace(talk(1).text, reply=None))
    (found,) = learner.predict([on], adapter_id="a", report=quiet)
    assert len(found.codes) == 1 and 0 <= found.codes[0].probabilities[1][1] <= 1


def test_a_training_that_was_stopped_goes_on_to_the_same_end(tiny_backbone: str, tmp_path: Path) -> None:
    config = CoAttentionConfig(
        backbone=tiny_backbone, epochs=3, batch_size=2, accumulate=2, train_backbone=True
    )

    class Stopped(Exception):
        pass

    def stop_at_four(point: TrainingPoint) -> None:
        if point.step >= 4:
            raise Stopped

    checkpoint = Checkpoint(tmp_path, "key", seconds=0.0)
    with pytest.raises(Stopped):
        fitted(config, talks(12), checkpoint=checkpoint, on_point=stop_at_four)
    assert checkpoint.path.is_file()
    gone_on = fitted(config, talks(12), checkpoint=checkpoint)
    on = talks(4, start=70)
    whole = fitted(config, talks(12)).predict(on, adapter_id="a", report=quiet)
    assert gone_on.predict(on, adapter_id="a", report=quiet) == whole


def test_a_width_that_cannot_be_cut_into_heads_is_refused() -> None:
    with pytest.raises(InvalidOption, match="with layers, hidden is a multiple of 4, and not 6"):
        make_config(CoAttentionLearner, {"hidden": 6})
    assert make_config(CoAttentionLearner, {"hidden": 6, "layers": 0})


def test_weights_of_another_backbone_or_none_are_refused(tiny_backbone: str, tmp_path: Path) -> None:
    learner = fitted(CoAttentionConfig(backbone=tiny_backbone, epochs=1), talks(12))
    folder = tmp_path / "adapter"
    folder.mkdir()
    learner.save(folder)
    (folder / WEIGHTS).write_bytes(b"nothing")
    with pytest.raises(WeightsUnreadable):
        CoAttentionLearner.load(folder, model_questions(CAUSES))
    learner.config = msgspec.structs.replace(
        learner.config, backbone=make_backbone(tmp_path / "other", seed=9)
    )
    learner.save(folder)
    with pytest.raises(OtherBackbone):
        CoAttentionLearner.load(folder, model_questions(CAUSES))
    with pytest.raises(NotFitted):
        CoAttentionLearner(model_questions(CAUSES), CoAttentionConfig()).predict(
            talks(1), adapter_id="a", report=quiet
        )


def test_what_a_sentence_says_does_not_depend_on_its_company(tiny_backbone: str) -> None:
    """Each is read by itself: beside others, in other batches and again, it scores the same."""
    learner = fitted(CoAttentionConfig(backbone=tiny_backbone, epochs=1), talks(12))
    on = talks(9, start=20)
    together, _ = learner.scores(on)
    for each, scores in zip(on, together, strict=True):
        ((alone,), _) = learner.scores([each])
        assert alone["empathy-cause"].marks == pytest.approx(scores["empathy-cause"].marks, abs=1e-5)
        assert scores["empathy-cause"].places == each.text.sentences_of(Part.POST)


def test_sentences_that_are_remembered_are_not_read_again_and_change_nothing(tiny_backbone: str) -> None:
    config = CoAttentionConfig(backbone=tiny_backbone, epochs=1)
    on = talks(4, start=20)
    expected, _ = fitted(config, talks(12)).scores(on)
    memory: VectorMemory = {}
    for _ in range(2):
        learner = CoAttentionLearner(model_questions(CAUSES), config)
        learner.memory = memory
        learner.fit(talks(12), talks(6, start=50), seed=2, report=quiet)
        for said, own in zip(learner.scores(on)[0], expected, strict=True):
            assert said[CODE].marks == pytest.approx(own[CODE].marks, abs=1e-4)
    (vectors,) = memory.values()
    before = dict(vectors)
    learner.scores(on)
    assert vectors.keys() == before.keys() and all(vectors[ids] is own for ids, own in before.items())


def test_a_sentence_that_is_cut_is_counted(tiny_backbone: str) -> None:
    said: list[str] = []
    learner = fitted(CoAttentionConfig(backbone=tiny_backbone, epochs=1, max_tokens=8), talks(12))
    (found,) = learner.predict([talks(1)[0]], adapter_id="a", report=said.append)
    assert found.n_truncated > 0 and any("Long sentences cut in 1 of 1 items" in line for line in said)
