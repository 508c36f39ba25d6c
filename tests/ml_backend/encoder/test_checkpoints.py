"""A training that is stopped anywhere goes on to the very same adapter; a state that is not its own is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from codebook.questions import model_questions
from learning.tasks.progress import TrainingPoint
from ml_backend.encoder.config import EncoderConfig
from ml_backend.encoder.learner import EncoderLora
from ml_backend.learners.checkpoint import Checkpoint
from tests.ml_backend.encoder.test_learner import quick
from tests.ml_backend.fixtures import examples
from tests.ml_backend.learners.contract import EPITOME
from tests.ml_backend.tiny_backbone import make_backbone

N_STEPS = 12


class Stopped(Exception):
    """In the place of a kill: what is on the disk is all that is left."""


@pytest.fixture
def config(tiny_backbone: str) -> EncoderConfig:
    return quick(tiny_backbone, epochs=3, batch_size=6, dropout=0.3)


def learned(
    config: EncoderConfig,
    folder: Path,
    checkpoint: Checkpoint | None = None,
    *,
    stop_after: int | None = None,
    points: list[TrainingPoint] | None = None,
) -> tuple[dict[str, bytes], list[str]]:
    """The files of what was learned, and what was said meanwhile."""
    told: list[str] = []
    found = [] if points is None else points

    def on_point(point: TrainingPoint) -> None:
        found.append(point)
        if stop_after is not None and point.step >= stop_after:
            raise Stopped

    learner = EncoderLora(model_questions(EPITOME), config)
    train, dev = examples(EPITOME, 24), examples(EPITOME, 12, start=24)
    learner.fit(train, dev, seed=3, report=told.append, checkpoint=checkpoint, on_point=on_point)
    folder.mkdir()
    learner.save(folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}, told


_whole: dict[EncoderConfig, dict[str, bytes]] = {}


def learned_whole(config: EncoderConfig, folder: Path) -> dict[str, bytes]:
    """The files of a training that nothing stopped, which is the same for every way to stop one."""
    if config not in _whole:
        _whole[config], _ = learned(config, folder)
    return _whole[config]


@pytest.mark.parametrize(("full", "frozen_layers"), [(False, 0), (True, 0), (True, 1)])
@pytest.mark.parametrize("stops", [(1,), (3, 4), (4,), (2, 5, 9), (12,)])
def test_a_stopped_training_ends_as_one_that_was_not(
    tiny_backbone: str, tmp_path: Path, stops: tuple[int, ...], full: bool, frozen_layers: int
) -> None:
    config = quick(tiny_backbone, epochs=3, batch_size=6, dropout=0.3, full=full, frozen_layers=frozen_layers)
    whole = learned_whole(config, tmp_path / "whole")
    checkpoint = Checkpoint(tmp_path / "checkpoints", "key", seconds=0.0)
    for stop in stops:
        with pytest.raises(Stopped):
            learned(config, tmp_path / "never", checkpoint, stop_after=stop)
    resumed, told = learned(config, tmp_path / "resumed", checkpoint)
    assert resumed == whole
    assert any(line.startswith("Going on from a checkpoint") for line in told) == (stops != (1,))


def test_points_tell_the_loss_at_each_step_and_the_score_after_each_epoch(
    config: EncoderConfig, tmp_path: Path
) -> None:
    points: list[TrainingPoint] = []
    learned(config, tmp_path / "out", points=points)
    assert [point.step for point in points] == list(range(1, N_STEPS + 1))
    assert {point.n_steps for point in points} == {N_STEPS}
    assert [point.epoch for point in points if point.dev_score is not None] == [1, 2, 3]
    assert all(point.loss > 0 for point in points)


def test_a_resumed_training_tells_the_whole_curve(config: EncoderConfig, tmp_path: Path) -> None:
    whole: list[TrainingPoint] = []
    learned(config, tmp_path / "whole", points=whole)
    checkpoint = Checkpoint(tmp_path / "checkpoints", "key", seconds=0.0)
    with pytest.raises(Stopped):
        learned(config, tmp_path / "never", checkpoint, stop_after=7)
    again: list[TrainingPoint] = []
    learned(config, tmp_path / "again", checkpoint, points=again)
    assert again == whole


def test_within_the_time_between_two_only_the_ends_of_epochs_are_kept(
    config: EncoderConfig, tmp_path: Path
) -> None:
    checkpoint = Checkpoint(tmp_path / "checkpoints", "key")
    with pytest.raises(Stopped):
        learned(config, tmp_path / "never", checkpoint, stop_after=7)
    _, told = learned(config, tmp_path / "again", checkpoint)
    assert "Going on from a checkpoint: epoch 2, after 0 batches" in told


@pytest.mark.parametrize(
    "harm", ["cut short", "no state", "another key", "another backbone", "another shape"]
)
def test_a_state_that_is_not_its_own_is_not_gone_on_from(tmp_path: Path, harm: str) -> None:
    backbone = make_backbone(tmp_path / "own")
    config = quick(backbone, epochs=3, batch_size=6)
    checkpoint = Checkpoint(tmp_path / "checkpoints", "key", seconds=0.0)
    with pytest.raises(Stopped):
        learned(config, tmp_path / "never", checkpoint, stop_after=7)
    if harm == "cut short":
        checkpoint.path.write_bytes(checkpoint.path.read_bytes()[:-7])
    elif harm == "no state":
        checkpoint.write((tmp_path / "own" / "model.safetensors").read_bytes())
    elif harm == "another key":
        checkpoint = Checkpoint(tmp_path / "checkpoints", "other", seconds=0.0)
    elif harm == "another backbone":
        make_backbone(tmp_path / "own", seed=6)
    else:
        config = quick(backbone, epochs=3, batch_size=6, full=True)
    whole, _ = learned(config, tmp_path / "whole")
    anew, told = learned(config, tmp_path / "anew", checkpoint)
    assert anew == whole
    assert not any(line.startswith("Going on") for line in told)
