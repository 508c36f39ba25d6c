"""From a release to an adapter: whole or not at all, and never a pickle."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from annotation.release.read import read_release
from annotation.release.rows import SplitPart
from annotation.release.split import Ratio
from codebook.shipped import load_shipped
from learning.adapters.card import Card
from learning.adapters.folder import AdapterBroken, PickleRefused, SeenItems
from learning.tasks.progress import TrainingPoint
from ml_backend.__main__ import main
from ml_backend.adapters.folder import load_adapter
from ml_backend.adapters.parent import Parent, seen_items
from ml_backend.adapters.training import AdapterTaken, TrainingRequest, train_adapter
from ml_backend.encoder.learner import EncoderLora
from ml_backend.examples import NothingToLearn, ReleaseWithoutTexts, examples_of
from ml_backend.learners.continuing import config_from
from ml_backend.learners.interface import Config, ParentUnfit
from ml_backend.learners.shares import Majority
from tests.ml_backend.encoder.test_learner import quick
from tests.ml_backend.fixtures import made_release, quiet

EPITOME = load_shipped("epitome")
ROOT = Path(__file__).resolve().parents[3]
NOW = datetime(2026, 3, 2, tzinfo=UTC)


def trained(release: Path, target: Path, learner: str = "majority", config: Config | None = None) -> Card:
    request = TrainingRequest(release, target, learner, config or Config(), 1, 1)
    return train_adapter(request, now=NOW, report=quiet)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_release(tmp_path_factory.mktemp("release") / "small", EPITOME)


@pytest.fixture
def adapter(release: Path, tmp_path: Path) -> Path:
    trained(release, tmp_path / "adapter")
    return tmp_path / "adapter"


def test_the_card_says_where_an_adapter_comes_from_and_how_good_it_is(
    release: Path, tmp_path: Path, tiny_backbone: str
) -> None:
    card = trained(release, tmp_path / "adapter", "encoder-lora", quick(tiny_backbone))
    loaded = load_adapter(tmp_path / "adapter")
    assert loaded.card == card
    assert card.learner == "encoder-lora" and card.seed == 1 and card.parent is None
    assert card.release.name == "First release"
    assert card.config["backbone"] == tiny_backbone
    assert {"torch", "peft", "transformers"} <= set(card.versions)
    assert set(card.measures) == {"validation", "test"}
    assert card.measures["test"].adapters == (card.id,)
    assert {entry.path for entry in card.files} == {
        "adapter_config.json",
        "adapter_model.safetensors",
        "codebook.json",
        "heads.safetensors",
        "learner.json",
        "seen_items.json",
    }
    assert loaded.codebook == EPITOME


def test_the_same_training_gives_the_same_adapter(release: Path, tmp_path: Path, tiny_backbone: str) -> None:
    first, second = (
        trained(release, tmp_path / name, "encoder-lora", quick(tiny_backbone)) for name in ("one", "two")
    )
    assert first == second
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_the_test_part_is_not_learned_from(adapter: Path, release: Path) -> None:
    seen = load_adapter(adapter).seen
    test = {each.item_id for each in examples_of(read_release(release), SplitPart.TEST)}
    assert test and not test & {*seen.train, *seen.validation}


def test_an_adapter_is_never_written_over(adapter: Path, release: Path) -> None:
    before = (adapter / "card.json").read_bytes()
    with pytest.raises(AdapterTaken, match="name a new folder"):
        trained(release, adapter)
    assert (adapter / "card.json").read_bytes() == before


def test_a_release_without_texts_is_refused(tmp_path: Path) -> None:
    release = made_release(tmp_path / "bare", EPITOME, with_texts=False)
    with pytest.raises(ReleaseWithoutTexts, match="--texts"):
        trained(release, tmp_path / "adapter")
    assert not (tmp_path / "adapter").exists()


def test_a_release_without_a_training_part_is_refused(tmp_path: Path) -> None:
    release = made_release(tmp_path / "tests-only", EPITOME, ratio=(0, 0, 1))
    with pytest.raises(NothingToLearn, match="train"):
        trained(release, tmp_path / "adapter")


def test_a_release_without_validation_and_test_parts_will_do(tmp_path: Path) -> None:
    release = made_release(tmp_path / "train-only", EPITOME, ratio=(1, 0, 0))
    assert trained(release, tmp_path / "adapter").measures == {}


def test_training_goes_on_from_a_parent_which_the_card_names(tmp_path: Path, tiny_backbone: str) -> None:
    first = made_release(tmp_path / "first", EPITOME)
    parent = trained(first, tmp_path / "parent", "encoder-lora", quick(tiny_backbone))
    told: list[str] = []
    config = config_from(EncoderLora, {"epochs": 2}, tmp_path / "parent")
    assert config == quick(tiny_backbone, epochs=2), "what is not given is as the parent has it"
    request = TrainingRequest(
        first, tmp_path / "child", "encoder-lora", config, 1, 1, parent=tmp_path / "parent"
    )
    card = train_adapter(request, now=NOW, report=told.append)
    assert card.parent == parent.id and card.id != parent.id
    assert any("to begin from" in line for line in told)
    assert load_adapter(tmp_path / "child").seen == load_adapter(tmp_path / "parent").seen
    alone = trained(first, tmp_path / "alone", "encoder-lora", quick(tiny_backbone, epochs=2))
    assert alone.parent is None and alone.files != card.files


def test_what_the_parent_saw_counts_as_seen(tmp_path: Path, tiny_backbone: str) -> None:
    release = read_release(made_release(tmp_path / "first", EPITOME))
    by_part = {part: examples_of(release, part) for part in SplitPart}
    parent = Parent("p", SeenItems(("before",), ("decided", by_part[SplitPart.TRAIN][0].item_id)))
    seen = seen_items(by_part, parent)
    assert seen.train == ("before", *(each.item_id for each in by_part[SplitPart.TRAIN]))
    assert seen.validation == ("decided", *(each.item_id for each in by_part[SplitPart.VALIDATION]))


@pytest.mark.parametrize("part", [SplitPart.VALIDATION, SplitPart.TEST])
def test_a_parent_that_has_seen_what_is_to_measure_is_refused(
    tmp_path: Path, tiny_backbone: str, part: SplitPart
) -> None:
    of_part: dict[SplitPart, Ratio] = {SplitPart.VALIDATION: (1, 1, 0), SplitPart.TEST: (1, 0, 1)}
    whole = made_release(tmp_path / "whole", EPITOME, n=12, ratio=(1, 0, 0))
    trained(whole, tmp_path / "parent", "encoder-lora", quick(tiny_backbone))
    release = made_release(tmp_path / "split", EPITOME, n=12, ratio=of_part[part])
    request = TrainingRequest(
        release,
        tmp_path / "child",
        "encoder-lora",
        quick(tiny_backbone),
        1,
        1,
        parent=tmp_path / "parent",
    )
    with pytest.raises(ParentUnfit, match=rf"learned from \d+ items of the {part.value} part"):
        train_adapter(request, now=NOW, report=quiet)
    assert not (tmp_path / "child").exists()


def test_a_parent_of_another_learner_is_refused(release: Path, adapter: Path, tmp_path: Path) -> None:
    with pytest.raises(ParentUnfit, match="trained by the learner majority"):
        config_from(EncoderLora, {}, adapter)
    with pytest.raises(ParentUnfit, match="majority always learns anew"):
        config_from(Majority, {}, adapter)


@pytest.mark.parametrize("name", ["weights.bin", "model.pt", "old.pkl", "more/optimizer.pth", "run.py"])
def test_whatever_could_run_code_is_refused(adapter: Path, name: str) -> None:
    planted = adapter / name
    planted.parent.mkdir(exist_ok=True)
    planted.write_bytes(pickle.dumps(Trap(adapter / "sprung")))
    with pytest.raises(PickleRefused, match=planted.name):
        load_adapter(adapter)
    assert not (adapter / "sprung").exists()


def test_a_pickle_in_the_place_of_weights_is_refused(
    release: Path, tmp_path: Path, tiny_backbone: str
) -> None:
    trained(release, tmp_path / "adapter", "encoder-lora", quick(tiny_backbone))
    heads = tmp_path / "adapter" / "heads.safetensors"
    heads.write_bytes(pickle.dumps(Trap(tmp_path / "sprung")))
    with pytest.raises(AdapterBroken, match=r"heads\.safetensors is not what was trained"):
        load_adapter(tmp_path / "adapter")
    assert not (tmp_path / "sprung").exists()


class Stopped(Exception):
    """In the place of a kill."""


def stop(point: TrainingPoint) -> None:
    if point.epoch == 2:
        raise Stopped


def test_only_the_same_request_goes_on_from_a_checkpoint(
    release: Path, tmp_path: Path, tiny_backbone: str
) -> None:
    asked = TrainingRequest(
        release, tmp_path / "adapter", "encoder-lora", quick(tiny_backbone, epochs=2), seed=1, threads=1
    )
    checkpoints = tmp_path / "checkpoints"
    with pytest.raises(Stopped):
        train_adapter(asked, now=NOW, report=quiet, checkpoints=checkpoints, on_point=stop)
    (left,) = checkpoints.iterdir()
    others = (
        replace(asked, seed=2),
        replace(asked, threads=2),
        replace(asked, config=quick(tiny_backbone, epochs=2, rank=5)),
        replace(asked, release=made_release(tmp_path / "other", EPITOME, n=44)),
    )
    for n, other in enumerate(others):
        told: list[str] = []
        elsewhere = replace(other, target=tmp_path / f"adapter-{n}")
        train_adapter(elsewhere, now=NOW, report=told.append, checkpoints=checkpoints)
        assert not any(line.startswith("Going on") for line in told)
        assert list(checkpoints.iterdir()) == [left]
    told = []
    card = train_adapter(asked, now=NOW, report=told.append, checkpoints=checkpoints)
    assert any(line.startswith("Going on") for line in told)
    assert not list(checkpoints.iterdir())
    assert card == train_adapter(replace(asked, target=tmp_path / "whole"), now=NOW, report=quiet)


class Trap:
    """A pickle of it makes a file when it is opened."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (self.path,))


@pytest.mark.parametrize("harm", ["change", "remove", "no card", "other seed"])
def test_an_adapter_that_is_not_as_it_was_trained_is_refused(adapter: Path, harm: str) -> None:
    if harm == "change":
        (adapter / "learner.json").write_text("{}")
    elif harm == "remove":
        (adapter / "seen_items.json").unlink()
    elif harm == "no card":
        (adapter / "card.json").unlink()
    else:
        card = adapter / "card.json"
        card.write_text(card.read_text().replace('"seed": 1,\n  "threads"', '"seed": 2,\n  "threads"'))
    with pytest.raises(AdapterBroken, match="no intact adapter"):
        load_adapter(adapter)


def test_a_link_is_refused(adapter: Path, tmp_path: Path) -> None:
    shutil.copy(adapter / "learner.json", tmp_path / "learner.json")
    (adapter / "learner.json").unlink()
    (adapter / "learner.json").symlink_to(tmp_path / "learner.json")
    with pytest.raises(PickleRefused):
        load_adapter(adapter)


# Trains in a process of its own that stands still at a moment, so that a kill is never too late.
STANDING_STILL = """
import signal, sys
from datetime import UTC, datetime
from pathlib import Path
from ml_backend.adapters.training import TrainingRequest, train_adapter
from ml_backend.learners.registry import make_config, learner_type

release, target, learner, moment = sys.argv[1:]

def report(line):
    if line.startswith(moment):
        print(line, flush=True)
        signal.pause()

request = TrainingRequest(Path(release), Path(target), learner, make_config(learner_type(learner), {}), 1, 1)
train_adapter(request, now=datetime.now(UTC), report=report)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("learner", "moment"),
    [
        ("tfidf-logistic", "Fitting"),
        ("majority", "Loading what was saved"),
        ("majority", "Measuring on the test"),
    ],
)
def test_a_killed_training_leaves_no_half_adapter(
    release: Path, tmp_path: Path, learner: str, moment: str
) -> None:
    target = tmp_path / "out" / "a"
    command = [sys.executable, "-c", STANDING_STILL, str(release), str(target), learner, moment]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(moment)
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait(timeout=60) == -signal.SIGKILL
    check_nothing_half(release, target)


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("moment", ["Epoch 1", "Loading what was saved", "Measuring on the test"])
def test_a_killed_training_of_a_network_leaves_no_half_adapter(
    release: Path, tmp_path: Path, tiny_backbone: str, moment: str
) -> None:
    killed_training(release, tmp_path / "out" / "a", tiny_backbone, moment)
    check_nothing_half(release, tmp_path / "out" / "a")


def check_nothing_half(release: Path, target: Path) -> None:
    assert not target.exists()
    trained(release, target)
    assert load_adapter(target).card.learner == "majority"


@pytest.mark.slow
def test_a_killed_training_goes_on_where_it_was(
    release: Path, tmp_path: Path, tiny_backbone: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Killed in a process of its own; what goes on, and what was never stopped, run in this one."""
    folder = ["--checkpoints", str(tmp_path / "checkpoints")]
    killed_training(release, tmp_path / "a", tiny_backbone, "Loading what was saved", folder)
    assert main(asked_for(release, tmp_path / "a", tiny_backbone, folder)) == 0
    assert "Going on from a checkpoint: epoch 3, after 0 batches" in capsys.readouterr().err
    assert main(asked_for(release, tmp_path / "b", tiny_backbone)) == 0
    assert load_adapter(tmp_path / "a").card.id == load_adapter(tmp_path / "b").card.id


def asked_for(release: Path, target: Path, backbone: str, more: Sequence[str] = ()) -> list[str]:
    options = ["--backbone", backbone, "--epochs", "2", "--threads", "1", "--max-tokens", "64", *more]
    return ["train", str(release), str(target), *options]


def killed_training(
    release: Path, target: Path, backbone: str, moment: str, more: Sequence[str] = ()
) -> None:
    """kill -9 as soon as it says that it has come so far."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ml_backend", *asked_for(release, target, backbone, more)],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith(moment):
            os.kill(process.pid, signal.SIGKILL)
            break
    assert process.wait(timeout=60) == -signal.SIGKILL
    process.stderr.close()
