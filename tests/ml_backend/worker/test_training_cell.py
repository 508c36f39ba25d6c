"""A training on a worker that shares no folder with the driver: the same adapter, or the same refusal."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codebook.shipped import load_shipped
from learning.adapters.folder import checked_card, read_card
from learning.tasks.contract import TrainRequest, TrainResult
from learning.tasks.folder import TaskFolder
from learning.tasks.locks import hold_lock
from learning.tasks.progress import ProgressWriter, SaidLine, TrainingPoint, read_progress
from ml_backend.pools.interface import Cell, Outcomes, Pool, Work
from ml_backend.pools.local import LocalPool
from ml_backend.processes import DiedElsewhere, ExitCode
from ml_backend.worker.training import train
from ml_backend.worker.training_cell import (
    Tell,
    Told,
    TrainingCell,
    TrainingFailed,
    run_cell,
    train_on_cluster,
)
from tests.ml_backend.fixtures import made_release
from tests.ml_backend.pools.here import HerePool
from tests.ml_backend.worker.test_process import end_of, train_request

EPITOME = load_shipped("epitome")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_release(tmp_path_factory.mktemp("release") / "small", EPITOME)


def encoder_request(release: Path, backbone: str, parent: Path | None = None) -> TrainRequest:
    config = {"backbone": backbone, "epochs": 1, "rank": 4, "max_tokens": 64}
    folder = None if parent is None else str(parent)
    request = train_request(release, "encoder-lora")
    return msgspec.structs.replace(request, config=config, parent_folder=folder)


def asked(path: Path, request: TrainRequest) -> TaskFolder:
    folder = TaskFolder(path)
    folder.write_request(request)
    return folder


def on_worker(folder: TaskFolder, request: TrainRequest) -> TrainResult:
    return train_on_cluster(folder, request, ProgressWriter(folder.progress), HerePool())


def test_it_is_the_adapter_of_a_training_here(release: Path, tmp_path: Path, tiny_backbone: str) -> None:
    request = encoder_request(release, tiny_backbone)
    here, there = asked(tmp_path / "here", request), asked(tmp_path / "there", request)
    train(here, request, ProgressWriter(here.progress))
    assert on_worker(there, request).adapter_id == read_card(here.adapter).id
    assert checked_card(there.adapter) == msgspec.structs.replace(
        checked_card(here.adapter), made_at=read_card(there.adapter).made_at
    )
    assert sorted(path.name for path in there.measured.iterdir()) == ["test.parquet", "validation.parquet"]
    lines = read_progress(there.progress).lines
    assert any(isinstance(line, TrainingPoint) for line in lines)
    said = [line.text for line in lines if isinstance(line, SaidLine)]
    assert said[0] == "Training on a worker of the cluster" and "Measuring on the test part" in said
    made = there.adapter.stat().st_ino
    assert on_worker(there, request).adapter_id == read_card(here.adapter).id
    assert there.adapter.stat().st_ino == made, "what is there is not trained again"

    further = encoder_request(release, tiny_backbone, here.adapter)
    child = asked(tmp_path / "child", further)
    on_worker(child, further)
    assert read_card(child.adapter).parent == read_card(here.adapter).id


@dataclass(frozen=True)
class DeadlyPool:
    """Its worker dies with its first checkpoint."""

    pool: Pool

    def run(self, work: Work, cells: Iterable[Cell], **more: Any) -> Outcomes:
        return self.pool.run(replace(work, function=f"{__name__}.die_with_first_checkpoint"), cells, **more)


def die_with_first_checkpoint(payload: bytes, tell: Tell) -> bytes:
    is_first = not msgspec.msgpack.decode(payload, type=TrainingCell).checkpoint

    def tell_and_die(content: bytes) -> None:
        tell(content)
        if is_first and msgspec.msgpack.decode(content, type=Told).checkpoint:
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGKILL)

    return run_cell(payload, tell_and_die)


@pytest.mark.slow
def test_progress_comes_live_and_the_next_worker_goes_on_from_the_checkpoint_of_a_dead_one(
    release: Path, tmp_path: Path, tiny_backbone: str
) -> None:
    request = encoder_request(release, tiny_backbone)
    request = msgspec.structs.replace(request, config={**request.config, "epochs": 4, "patience": 4})
    folder, whole = asked(tmp_path / "s" / "job-1", request), asked(tmp_path / "s" / "job-2", request)
    progress, pool = ProgressWriter(folder.progress), DeadlyPool(LocalPool(1))
    assert [folder.tries.begin(), folder.tries.begin(), folder.tries.begin()] == [1, 2, 3]
    with pytest.raises(DiedElsewhere):
        train_on_cluster(folder, request, progress, pool)
    before = read_progress(folder.progress)
    assert {line.epoch for line in before.lines if isinstance(line, TrainingPoint)} == {1, 2}
    assert list(folder.checkpoint.glob("*.safetensors")) and not folder.adapter.exists()
    assert folder.tries.begin() == 2, "a try that got farther does not count"
    found = train_on_cluster(folder, request, progress, pool)
    after = read_progress(folder.progress, before.offset).lines
    assert any(
        isinstance(line, SaidLine) and line.text.startswith("Going on from a checkp") for line in after
    )
    assert not folder.checkpoint.exists(), "it is kept no longer than needed"
    assert found == train_on_cluster(whole, request, ProgressWriter(whole.progress), LocalPool(1))


def test_what_the_worker_refuses_is_said(release: Path, tmp_path: Path) -> None:
    request = msgspec.structs.replace(train_request(release), release_hash="0" * 64)
    folder = asked(tmp_path / "task", request)
    with pytest.raises(TrainingFailed, match="not as it was frozen"):
        on_worker(folder, request)
    assert not folder.adapter.exists()


def test_a_cluster_is_asked_for_by_the_environment_and_takes_no_slot_of_this_machine(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = train_request(release)
    folder = asked(tmp_path / "1-study" / "job-7", request)
    folder.beat()
    for name, value in (
        ("ML_LABEL_POOL", "ray"),
        ("ML_RAY_ADDRESS", "127.0.0.1:1"),
        ("RAY_AUTH_MODE", "none"),
    ):
        monkeypatch.setenv(name, value)
    with hold_lock(folder.slot(request)):
        assert end_of(folder) == ExitCode.FAILED
    assert "RAY_AUTH_MODE is not `token`" in (folder.take_failure() or "")
