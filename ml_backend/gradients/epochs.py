"""Trains epoch by epoch, keeps the weights that were best on the validation part, and goes on after a kill."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import torch
from torch import nn
from torch.optim import AdamW

from learning.tasks.progress import TrainingPoint
from ml_backend.gradients.training_state import Progress, TrainingState, trained_weights
from ml_backend.learners.checkpoint import Checkpoint
from ml_backend.learners.interface import OnPoint, Report

WARM_UP = 0.1


def share_of_rate(step: int, n_steps: int) -> float:
    """Up in the first tenth of all steps, then down to nothing.

    >>> [share_of_rate(step, 20) for step in (0, 1, 2, 11, 19)]
    [0.5, 1.0, 1.0, 0.5, 0.05555555555555555]
    """
    warm = max(1, int(WARM_UP * n_steps))
    if step < warm:
        return (step + 1) / warm
    return max(0.0, (n_steps - step) / max(1, n_steps - warm))


T = TypeVar("T")
LARGEST_STEP = 1.0
POINTS_PER_EPOCH = 10


@dataclass(frozen=True, slots=True)
class DevScore:
    """Of the validation part: weights are kept by `score`, people are shown `f1`, if there is one, and `words`."""

    score: float
    f1: float | None
    words: str


@dataclass(frozen=True, slots=True)
class Watch:
    """Who hears of a training and where it is kept; `backbone_sha256` names the weights that it can be put on again."""

    report: Report
    backbone_sha256: str = ""
    checkpoint: Checkpoint | None = None
    on_point: OnPoint | None = None

    def publish(self, point: TrainingPoint) -> None:
        if self.on_point is not None:
            self.on_point(point)


@dataclass
class Epochs(Generic[T]):
    """`batches` draws the order of an epoch; `learn` leaves the gradients of a batch and says its loss.

    Each group of the optimizer has a `rate`, its highest: `lr` is its `share`, by the step and how many there
    are at most. `judge` says None where there is no
    validation part, or it can tell nothing.
    """

    network: nn.Module
    optimizer: AdamW
    generator: torch.Generator
    batches: Callable[[torch.Generator], Sequence[T]]
    learn: Callable[[T], float]
    judge: Callable[[], DevScore | None]
    n_epochs: int
    n_batches: int
    patience: int
    watch: Watch
    share: Callable[[int, int], float] = share_of_rate
    saved_at: float = 0.0
    state: TrainingState = field(init=False)

    def __post_init__(self) -> None:
        """Takes up what a checkpoint has."""
        self.state = TrainingState(
            self.network, self.optimizer, self.watch.backbone_sha256, self.generator.get_state()
        )
        self.saved_at = time.monotonic()
        if self.watch.checkpoint is None or not self.state.take_from(self.watch.checkpoint):
            return
        self.generator.set_state(self.state.order)
        progress = self.progress
        self.watch.report(
            f"Going on from a checkpoint: epoch {progress.epoch}, after {progress.n_done} batches"
        )
        for point in progress.points:
            self.watch.publish(point)

    @property
    def progress(self) -> Progress:
        return self.state.progress

    @property
    def is_over(self) -> bool:
        return self.progress.epoch > self.n_epochs or self.progress.epochs_waited >= self.patience

    def run(self) -> None:
        """The network ends with its best weights; without a validation part, with its last."""
        while not self.is_over:
            self._epoch(self.batches(self.generator))
            self._end_epoch()
            self.state.order = self.generator.get_state()
            self._save()
        self.network.load_state_dict(self.state.best, strict=False)

    def _save(self) -> None:
        if self.watch.checkpoint is not None:
            self.state.save_to(self.watch.checkpoint)
            self.saved_at = time.monotonic()

    def _epoch(self, batches: Sequence[T]) -> None:
        """From where it stands: the batches that a checkpoint has behind it are not learned from again."""
        self.network.train()
        progress, checkpoint = self.progress, self.watch.checkpoint
        between = max(1, len(batches) // POINTS_PER_EPOCH)
        for batch in batches[progress.n_done :]:
            loss = self._step(batch)
            progress.n_done, progress.step = progress.n_done + 1, progress.step + 1
            progress.loss_of_epoch += loss
            progress.recent.append(loss)
            if progress.n_done % between == 0 and progress.n_done < len(batches):
                self._point()
                self.watch.report(f"{self._name_scores()}: batch {progress.n_done} of {len(batches)}")
            if checkpoint is not None and time.monotonic() - self.saved_at >= checkpoint.seconds:
                self._save()

    def _step(self, batch: T) -> float:
        share = self.share(self.progress.step, self.n_epochs * self.n_batches)
        for group in self.optimizer.param_groups:
            group["lr"] = group["rate"] * share
        self.optimizer.zero_grad()
        loss = self.learn(batch)
        nn.utils.clip_grad_norm_(self.network.parameters(), LARGEST_STEP)
        self.optimizer.step()
        return loss

    def _end_epoch(self) -> None:
        progress = self.progress
        said = f"{self._name_scores()}: loss {progress.loss_of_epoch / max(1, progress.n_done):.4f}"
        self.network.eval()
        found = self.judge()
        if found is None:
            self.watch.report(said)
        else:
            is_best = self._is_best(found)
            self.watch.report(f"{said}, {found.words}" + (" (best so far)" if is_best else ""))
        self._point(None if found is None else found.f1)
        progress.epoch, progress.n_done, progress.loss_of_epoch = progress.epoch + 1, 0, 0.0
        if progress.epochs_waited >= self.patience:
            self.watch.report(f"Stopped: no better for {progress.epochs_waited} epochs")

    def _is_best(self, found: DevScore) -> bool:
        """Keeps the weights if so."""
        progress = self.progress
        if found.score <= progress.best_score:
            progress.epochs_waited += 1
            return False
        progress.epochs_waited, progress.best_score = 0, found.score
        self.state.best = trained_weights(self.network)
        return True

    def _name_scores(self) -> str:
        return f"Epoch {self.progress.epoch} of {self.n_epochs}"

    def _point(self, f1: float | None = None) -> None:
        progress = self.progress
        loss = sum(progress.recent) / max(1, len(progress.recent))
        stops_early = progress.epochs_waited >= self.patience
        n_steps = progress.step if stops_early else self.n_epochs * self.n_batches
        point = TrainingPoint(progress.epoch, progress.step, n_steps, loss, f1)
        progress.recent.clear()
        progress.points.append(point)
        self.watch.publish(point)
