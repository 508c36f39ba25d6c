"""An order to train: the adapter appears whole in the order's folder, however often the process was killed before."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

from learning.adapters.folder import checked_card
from learning.tasks.folder import OrderFolder
from learning.tasks.orders import TrainAnswer, TrainOrder
from learning.tasks.training_points import TrainingPoint
from ml_backend.adapters.training import TrainingRequest, train_adapter
from ml_backend.learners.registry import configured, learner_type
from ml_backend.threads import use_threads
from ml_backend.worker.progress import Progress


class ParentNotTaken(ValueError):
    def __init__(self, learner: str) -> None:
        super().__init__(f"The learner {learner} cannot begin from another adapter: train without a parent.")


class GettingFarther:
    """Passes the points of the loss curve on, and notices new checkpoints: who got farther has not failed."""

    def __init__(self, folder: OrderFolder, progress: Progress) -> None:
        self._folder = folder
        self._progress = progress
        self._known = self._checkpoints()

    def __call__(self, point: TrainingPoint) -> None:
        self._progress.point(point)
        found = self._checkpoints()
        if found != self._known:
            self._known = found
            self._folder.got_farther()

    def _checkpoints(self) -> frozenset[tuple[str, int]]:
        there = self._folder.checkpoint.glob("*.safetensors")
        return frozenset((path.name, path.stat().st_mtime_ns) for path in there)


def train(folder: OrderFolder, order: TrainOrder, progress: Progress) -> TrainAnswer:
    if folder.adapter.exists():
        return TrainAnswer(adapter_id=checked_card(folder.adapter).id)
    if order.parent_folder is not None:
        raise ParentNotTaken(order.learner)
    for left in folder.path.glob(f".{folder.adapter.name}.*.making"):
        shutil.rmtree(left)
    learner = learner_type(order.learner)
    request = TrainingRequest(
        release=Path(order.release),
        target=folder.adapter,
        learner=order.learner,
        config=configured(learner, order.config),
        seed=order.seed,
        threads=use_threads(order.threads, with_torch=learner.uses_torch),
        release_hash=order.release_hash,
        measured=folder.measured,
    )
    card = train_adapter(
        request,
        now=datetime.now(UTC),
        report=progress.say,
        checkpoints=folder.checkpoint,
        on_point=GettingFarther(folder, progress),
    )
    return TrainAnswer(adapter_id=card.id)
