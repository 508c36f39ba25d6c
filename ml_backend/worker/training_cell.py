"""A training as a cell of a pool: release, parent and checkpoint go to a worker as bytes, the adapter comes back so.

What the training says comes while it goes on, and so do its checkpoints: the driver keeps both as a training of this
machine would, and whoever tries again after a death begins there, on whatever node.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from annotation.release.files import move_into_place
from corpus.atomic_files import replace_file
from learning.adapters.folder import checked_card
from learning.tasks.contract import TrainRequest, TrainResult
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressLine, ProgressWriter
from ml_backend.pools.choice import cluster_pool
from ml_backend.pools.interface import Cell, CellFailure, Pool, Work
from ml_backend.pools.shipping import Files, pack, unpack
from ml_backend.processes import DiedElsewhere
from ml_backend.worker.training import clear_away, train

Tell = Callable[[bytes], None]
RUN_CELL = f"{__name__}.run_cell"
# What is larger stays on its node: a training that learns whole backbones begins again where its node dies
MOST_CHECKPOINT_BYTES = 256_000_000


class TrainingFailed(RuntimeError):
    """Its message is the worker's."""


class TrainingCell(msgspec.Struct, frozen=True):
    request: TrainRequest
    release: Files
    parent: Files
    checkpoint: Files


class Trained(msgspec.Struct, frozen=True):
    adapter: Files
    measured: Files


class Told(msgspec.Struct, frozen=True):
    """A line of progress, or a new checkpoint."""

    line: ProgressLine | None = None
    checkpoint: Files | None = None


class RelayedProgress(ProgressWriter):
    """To the driver, who keeps it."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    def write(self, line: ProgressLine) -> None:
        self._tell(msgspec.msgpack.encode(Told(line=line)))


def train_on_cluster(
    folder: TaskFolder, request: TrainRequest, progress: ProgressWriter, pool: Pool | None = None
) -> TrainResult:
    """The driver alone writes. Raises TrainingFailed and SetupFailed, and DiedElsewhere where the worker died."""

    def heed(number: int, content: bytes) -> None:
        told = msgspec.msgpack.decode(content, type=Told)
        if told.line is not None:
            progress.write(told.line)
        if told.checkpoint is not None:
            _keep_checkpoint(folder, told.checkpoint)

    if not folder.adapter.exists():
        clear_away(folder)
        progress.say("Training on a worker of the cluster")
        work = Work(RUN_CELL, tells=True, tries=1)
        for outcome in (pool or cluster_pool(os.environ)).run(
            work, [Cell(0, _payload(folder, request))], heed=heed
        ):
            if not isinstance(outcome, CellFailure):
                _keep(folder, msgspec.msgpack.decode(outcome.content, type=Trained))
            elif outcome.stopped_worker:
                progress.say("The worker of the cluster was lost")
                raise DiedElsewhere
            else:
                raise TrainingFailed(outcome.reason)
    return TrainResult(adapter_id=checked_card(folder.adapter).id)


def _payload(folder: TaskFolder, request: TrainRequest) -> bytes:
    parent = pack(Path(request.parent_folder)) if request.parent_folder else {}
    cell = TrainingCell(request, pack(Path(request.release)), parent, pack(folder.checkpoint))
    return msgspec.msgpack.encode(cell)


def _keep_checkpoint(folder: TaskFolder, files: Files) -> None:
    """Who got farther has not failed."""
    folder.checkpoint.mkdir(exist_ok=True)
    for name, content in files.items():
        replace_file(folder.checkpoint / name, content)
    folder.tries.start_again()


def _keep(folder: TaskFolder, trained: Trained) -> None:
    """The adapter last: where it is, all else is."""
    for files, target in ((trained.measured, folder.measured), (trained.adapter, folder.adapter)):
        making = target.with_name(f".{target.name}.making")
        shutil.rmtree(making, ignore_errors=True)
        shutil.rmtree(target, ignore_errors=True)
        making.mkdir()
        move_into_place(unpack(files, making), target)
    shutil.rmtree(folder.checkpoint, ignore_errors=True)


def run_cell(payload: bytes, tell: Tell) -> bytes:
    cell = msgspec.msgpack.decode(payload, type=TrainingCell)

    def tell_checkpoint() -> None:
        files = pack(folder.checkpoint)
        if sum(map(len, files.values())) <= MOST_CHECKPOINT_BYTES:
            tell(msgspec.msgpack.encode(Told(checkpoint=files)))

    with TemporaryDirectory(prefix="attune-training-") as name:
        home = Path(name)
        folder = TaskFolder(home / "task")
        unpack(cell.checkpoint, folder.checkpoint)
        request = msgspec.structs.replace(
            cell.request,
            release=str(unpack(cell.release, home / "release")),
            parent_folder=str(unpack(cell.parent, home / "parent")) if cell.parent else None,
        )
        train(folder, request, RelayedProgress(tell), tell_checkpoint)
        measured = pack(folder.measured) if folder.measured.exists() else {}
        return msgspec.msgpack.encode(Trained(pack(folder.adapter), measured))
