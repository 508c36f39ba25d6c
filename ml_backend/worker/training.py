"""A task to train: the adapter appears whole in the task's folder, however often the process was killed before."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from learning.adapters.folder import checked_card
from learning.tasks.contract import TrainRequest, TrainResult
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter, TrainingPoint
from ml_backend.adapters.training import TrainingRequest, train_adapter
from ml_backend.learners.continuing import config_from
from ml_backend.learners.registry import learner_type
from ml_backend.torch_setup import use_threads

OnCheckpoint = Callable[[], None]


class CheckpointWatch:
    """Passes the points of the loss curve on, and notices new checkpoints."""

    def __init__(self, folder: TaskFolder, progress: ProgressWriter, on_checkpoint: OnCheckpoint) -> None:
        self._folder, self._progress, self._on_checkpoint = folder, progress, on_checkpoint
        self._known = self._checkpoints()

    def __call__(self, point: TrainingPoint) -> None:
        self._progress.write(point)
        found = self._checkpoints()
        if found != self._known:
            self._known = found
            self._on_checkpoint()

    def _checkpoints(self) -> frozenset[tuple[str, int]]:
        there = self._folder.checkpoint.glob("*.safetensors")
        return frozenset((path.name, path.stat().st_mtime_ns) for path in there)


def train(
    folder: TaskFolder,
    request: TrainRequest,
    progress: ProgressWriter,
    on_checkpoint: OnCheckpoint | None = None,
) -> TrainResult:
    """Without `on_checkpoint`, who got farther has not failed."""
    if folder.adapter.exists():
        return TrainResult(adapter_id=checked_card(folder.adapter).id)
    clear_away(folder)
    learner = learner_type(request.learner)
    parent = Path(request.parent_folder) if request.parent_folder else None
    training = TrainingRequest(
        release=Path(request.release),
        target=folder.adapter,
        learner=request.learner,
        config=config_from(learner, request.config, parent),
        seed=request.seed,
        threads=use_threads(request.threads, with_torch=learner.uses_torch),
        release_hash=request.release_hash,
        measured=folder.measured,
        parent=parent,
    )
    card = train_adapter(
        training,
        now=datetime.now(UTC),
        report=progress.say,
        checkpoints=folder.checkpoint,
        on_point=CheckpointWatch(folder, progress, on_checkpoint or folder.tries.start_again),
    )
    return TrainResult(adapter_id=card.id)


def clear_away(folder: TaskFolder) -> None:
    """What a kill left half made."""
    for left in folder.path.glob(f".{folder.adapter.name}.*.making"):
        shutil.rmtree(left)
