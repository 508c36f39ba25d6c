"""A pickle that would leave a trace, planted wherever files are opened: it is refused or left alone, never run."""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from annotation.release.manifest import file_entry
from annotation.release.read import read_manifest
from codebook.shipped import load_shipped
from learning.adapters.card import CARD, card_bytes, content_id
from learning.adapters.folder import AdapterBroken, PickleRefused, read_card
from learning.tasks.contract import PredictRequest, TrainRequest
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter
from learning.tasks.texts import write_texts
from ml_backend.adapters.folder import load_adapter
from ml_backend.encoder.backbone import BackboneMissing, load_backbone
from ml_backend.learners.interface import SettingsUnreadable, WeightsUnreadable
from ml_backend.worker.kinds import work_on
from tests.ml_backend.fixtures import examples, made_release, quiet

EPITOME = load_shipped("epitome")
REFUSALS = (AdapterBroken, PickleRefused, SettingsUnreadable, WeightsUnreadable)


class Trap:
    """Unpickled, it makes a file."""

    def __init__(self, trace: Path) -> None:
        self.trace = str(trace)

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return open, (self.trace, "w")


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return tmp_path / "trace"


@pytest.fixture
def poison(trace: Path) -> bytes:
    content = pickle.dumps(Trap(trace))
    pickle.loads(content).close()
    assert trace.exists(), "the trap works"
    trace.unlink()
    return content


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_release(tmp_path_factory.mktemp("release") / "small", EPITOME)


@pytest.fixture(scope="module")
def backbone(tiny_backbone: str) -> str:
    return tiny_backbone


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory, release: Path, backbone: str) -> TaskFolder:
    folder = TaskFolder(tmp_path_factory.mktemp("tasks") / "s" / "job-1")
    request = train_request(release, backbone)
    folder.write_request(request)
    work_on(folder, request, ProgressWriter(folder.progress))
    return folder


def train_request(release: Path, backbone: str) -> TrainRequest:
    config = {"backbone": backbone, "input": "alone", "epochs": 1, "batch_size": 8}
    return TrainRequest(
        release=str(release),
        release_hash=read_manifest(release).hash,
        learner="encoder-lora",
        config=config,
        seed=1,
        threads=1,
    )


def copied(trained: TaskFolder, target: Path) -> Path:
    shutil.copytree(trained.adapter, target)
    return target


@pytest.mark.parametrize(
    "name", ["model.pkl", "pytorch_model.bin", "adapter_model.bin", "x.pt", "deep/x.ckpt"]
)
def test_beside_an_adapters_files(
    trained: TaskFolder, tmp_path: Path, poison: bytes, trace: Path, name: str
) -> None:
    adapter = copied(trained, tmp_path / "adapter")
    (adapter / name).parent.mkdir(exist_ok=True)
    (adapter / name).write_bytes(poison)
    with pytest.raises(PickleRefused, match="Nothing was loaded"):
        load_adapter(adapter)
    assert not trace.exists()


@pytest.mark.parametrize("name", ["heads.safetensors", "adapter_model.safetensors", "learner.json"])
def test_under_the_name_of_one_of_its_files_with_a_card_that_fits(
    trained: TaskFolder, tmp_path: Path, poison: bytes, trace: Path, name: str
) -> None:
    """Whoever can write the folder can write the card too: the loaders themselves must open no pickle."""
    adapter = copied(trained, tmp_path / "adapter")
    (adapter / name).write_bytes(poison)
    card = read_card(adapter)
    files = tuple(file_entry(adapter, entry.path) for entry in card.files)
    forged = msgspec.structs.replace(card, files=files)
    forged = msgspec.structs.replace(forged, id=content_id(forged))
    (adapter / CARD).write_bytes(card_bytes(forged))
    with pytest.raises(REFUSALS):
        load_adapter(adapter)
    assert not trace.exists()


def test_in_the_place_of_a_checkpoint(
    release: Path, backbone: str, tmp_path: Path, poison: bytes, trace: Path, trained: TaskFolder
) -> None:
    """What cannot be gone on from is begun anew, to the same adapter."""
    folder = TaskFolder(tmp_path / "s" / "job-2")
    request = train_request(release, backbone)
    folder.write_request(request)
    folder.checkpoint.mkdir()
    keys = set()

    class Planting(ProgressWriter):
        def say(self, text: str) -> None:
            for path in folder.checkpoint.glob("*.safetensors"):
                keys.add(path.name)
            super().say(text)

    work_on(folder, request, Planting(folder.progress))
    shutil.rmtree(folder.adapter)
    assert keys, "a checkpoint was there while it trained"
    for name in keys:
        (folder.checkpoint / name).write_bytes(poison)
    (folder.checkpoint / "state.pt").write_bytes(poison)
    result = work_on(folder, request, ProgressWriter(folder.progress))
    assert not trace.exists()
    assert read_card(folder.adapter).id == read_card(trained.adapter).id
    assert result is not None


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.safetensors"])
def test_as_the_weights_of_a_backbone(
    backbone: str, tmp_path: Path, poison: bytes, trace: Path, name: str
) -> None:
    folder = tmp_path / "backbone"
    shutil.copytree(backbone, folder)
    (folder / "model.safetensors").unlink()
    (folder / name).write_bytes(poison)
    with pytest.raises(BackboneMissing):
        load_backbone(str(folder), quiet)
    assert not trace.exists()


def test_in_a_task_to_predict(trained: TaskFolder, tmp_path: Path, poison: bytes, trace: Path) -> None:
    adapter = copied(trained, tmp_path / "adapter")
    (adapter / "optimizer.pt").write_bytes(poison)
    folder = TaskFolder(tmp_path / "s" / "job-3")
    folder.path.mkdir(parents=True)
    write_texts(folder.path / "texts.jsonl", [each.text for each in examples(EPITOME, 2)])
    request = PredictRequest(adapter_folder=str(adapter), texts=str(folder.path / "texts.jsonl"))
    with pytest.raises(PickleRefused):
        work_on(folder, request, ProgressWriter(folder.progress))
    assert not trace.exists()
