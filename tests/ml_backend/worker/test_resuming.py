"""kill -9 in the middle of a training: the next process goes on from the last checkpoint, to the same adapter."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from learning.adapters.folder import checked_card
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter, SaidLine, TrainingPoint, loss_curve, read_progress
from ml_backend.processes import ExitCode
from ml_backend.worker.kinds import work_on
from tests.ml_backend.fixtures import made_release
from tests.ml_backend.worker.test_process import EPITOME, end_of, start, train_request

pytestmark = pytest.mark.slow
SECOND_EPOCH = b'"epoch":2,'
SMALLEST_PIPE = 4096


def test_a_killed_training_goes_on_from_its_checkpoint(tmp_path: Path, tiny_backbone: str) -> None:
    release = made_release(tmp_path / "release", EPITOME)
    config = {"backbone": tiny_backbone, "input": "alone", "epochs": 6, "patience": 6, "batch_size": 2}
    request = msgspec.structs.replace(train_request(release, "encoder-lora"), config=config)
    folder, whole = (TaskFolder(tmp_path / "s" / name) for name in ("job-1", "job-2"))
    for each in (folder, whole):
        each.write_request(request)
        each.beat()
    os.mkfifo(folder.progress)
    with start(folder) as process, said_until(SECOND_EPOCH, folder, process) as said_before:
        assert list(folder.checkpoint.glob("*.safetensors"))
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    folder.progress.unlink()
    folder.progress.write_bytes(said_before)
    assert folder.read_result() is None and not folder.adapter.exists()
    folder.beat()
    assert end_of(folder) == ExitCode.DONE
    lines = read_progress(folder.progress).lines
    said = [line.text for line in lines if isinstance(line, SaidLine)]
    assert any(text.startswith("Going on from a checkpoint") for text in said)
    assert any(isinstance(line, TrainingPoint) for line in lines) and loss_curve(lines)[0].step == 1
    assert not list(folder.checkpoint.glob("*.safetensors")), "it is kept no longer than needed"
    work_on(whole, request, ProgressWriter(whole.progress))
    assert checked_card(folder.adapter).id == checked_card(whole.adapter).id


@contextmanager
def said_until(words: bytes, folder: TaskFolder, process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    """Whole lines, up to one with these words; afterwards the process goes on only as far as a small pipe lets it."""
    reading = os.open(folder.progress, os.O_RDWR | os.O_NONBLOCK)
    fcntl.fcntl(reading, fcntl.F_SETPIPE_SZ, SMALLEST_PIPE)
    found = b""
    while words not in found[: found.rfind(b"\n") + 1]:
        assert process.poll() is None
        if select.select([reading], [], [], 1.0)[0]:
            found += os.read(reading, 1)
    yield found[: found.rfind(b"\n") + 1]
    os.close(reading)
