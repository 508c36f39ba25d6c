"""kill -9 in the middle of a training: the next process goes on from the last checkpoint, to the same adapter."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import msgspec
import pytest

from annotation.adapters.folder import checked_card
from annotation.orders.folder import OrderFolder
from annotation.orders.progress import PointLine, SaidLine, loss_curve, read_progress
from ml_backend.orders.ends import End
from tests.ml_backend.orders.test_process import EPITOME, end_of, start, train_order
from tests.ml_backend.scene import made_release

pytestmark = pytest.mark.slow


def test_a_killed_training_goes_on_from_its_checkpoint(tmp_path: Path, tiny_backbone: str) -> None:
    release = made_release(tmp_path / "release", EPITOME)
    config = {"backbone": tiny_backbone, "input": "alone", "epochs": 40, "patience": 40, "batch_size": 2}
    order = msgspec.structs.replace(train_order(release, "encoder-lora"), config=config)
    folder, whole = (OrderFolder(tmp_path / "s" / name) for name in ("job-1", "job-2"))
    for each in (folder, whole):
        each.write_order(order)
        each.want()
    with start(folder) as process:
        while not list(folder.checkpoint.glob("*.safetensors")):
            assert process.poll() is None
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert folder.read_answer() is None and not folder.adapter.exists()
    folder.want()
    assert end_of(folder) == End.ANSWERED
    lines = read_progress(folder.progress).lines
    said = [line.text for line in lines if isinstance(line, SaidLine)]
    assert any(text.startswith("Going on from a checkpoint") for text in said)
    assert any(isinstance(line, PointLine) for line in lines) and loss_curve(lines)[0].step == 1
    assert not list(folder.checkpoint.glob("*.safetensors")), "it is kept no longer than needed"
    whole.want()
    assert end_of(whole) == End.ANSWERED
    assert checked_card(folder.adapter).id == checked_card(whole.adapter).id
