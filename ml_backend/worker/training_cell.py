"""A training as a cell of a pool: release and parent go to a worker as bytes, the adapter comes back so."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from annotation.release.files import move_into_place
from learning.adapters.folder import checked_card
from learning.tasks.contract import TrainRequest, TrainResult
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter
from ml_backend.pools.interface import Cell, CellFailure, Pool, Work
from ml_backend.pools.shipping import Files, pack, unpack
from ml_backend.worker.training import clear_away, train

RUN_CELL = f"{__name__}.run_cell"


class TrainingFailed(RuntimeError):
    """Its message is the worker's."""


class TrainingCell(msgspec.Struct, frozen=True):
    request: TrainRequest
    release: Files
    parent: Files


class Trained(msgspec.Struct, frozen=True):
    """`progress` is what the training said, and its loss curve."""

    adapter: Files
    measured: Files
    progress: bytes


def train_on(pool: Pool, folder: TaskFolder, request: TrainRequest, progress: ProgressWriter) -> TrainResult:
    """Raises TrainingFailed and SetupFailed. A training whose worker dies begins again; the driver alone writes."""
    if not folder.adapter.exists():
        clear_away(folder)
        parent = pack(Path(request.parent_folder)) if request.parent_folder else {}
        cell = TrainingCell(request, pack(Path(request.release)), parent)
        progress.say("Training on a worker of the cluster")
        for outcome in pool.run(Work(RUN_CELL), [Cell(0, msgspec.msgpack.encode(cell))]):
            if isinstance(outcome, CellFailure):
                raise TrainingFailed(outcome.reason)
            _keep(folder, msgspec.msgpack.decode(outcome.content, type=Trained))
    return TrainResult(adapter_id=checked_card(folder.adapter).id)


def _keep(folder: TaskFolder, trained: Trained) -> None:
    """The adapter last: where it is, all else is."""
    with folder.progress.open("ab") as lines:
        lines.write(trained.progress)
    for files, target in ((trained.measured, folder.measured), (trained.adapter, folder.adapter)):
        making = target.with_name(f".{target.name}.making")
        shutil.rmtree(making, ignore_errors=True)
        shutil.rmtree(target, ignore_errors=True)
        making.mkdir()
        move_into_place(unpack(files, making), target)


def run_cell(payload: bytes) -> bytes:
    cell = msgspec.msgpack.decode(payload, type=TrainingCell)
    with TemporaryDirectory(prefix="attune-training-") as name:
        home = Path(name)
        folder = TaskFolder(home / "task")
        folder.path.mkdir()
        request = msgspec.structs.replace(
            cell.request,
            release=str(unpack(cell.release, home / "release")),
            parent_folder=str(unpack(cell.parent, home / "parent")) if cell.parent else None,
        )
        train(folder, request, ProgressWriter(folder.progress))
        measured = pack(folder.measured) if folder.measured.exists() else {}
        return msgspec.msgpack.encode(Trained(pack(folder.adapter), measured, folder.progress.read_bytes()))
