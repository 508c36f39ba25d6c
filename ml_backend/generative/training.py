"""Trains low-rank additions step by step and keeps those that were best on the validation part."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.optim import AdamW

from annotation.training_points import TrainingPoint
from ml_backend.encoder.progress import Progress, Standing, trained_weights
from ml_backend.generative.config import GenerativeConfig
from ml_backend.generative.lessons import Lesson, lesson_tensors, loss_of
from ml_backend.learners.checkpoint import Checkpoint
from ml_backend.learners.interface import OnPoint, Report
from ml_backend.learners.learning_rate import share_of_rate

LARGEST_STEP = 1.0
POINTS_PER_EPOCH = 10


@dataclass
class Training:
    """Stops by the loss on the validation part, which moves before any answer does; `dev_f1` is for people to see."""

    model: Any
    config: GenerativeConfig
    pad: int
    report: Report
    dev_f1: Callable[[], float]
    backbone_sha256: str = ""
    checkpoint: Checkpoint | None = None
    on_point: OnPoint | None = None
    saved_at: float = 0.0

    def run(self, train: Sequence[Lesson], dev: Sequence[Lesson], seed: int) -> None:
        """The model ends with its best weights; without a validation part, with its last."""
        generator = torch.Generator().manual_seed(seed)
        learned = [each for each in self.model.parameters() if each.requires_grad]
        optimizer = AdamW(learned, weight_decay=self.config.weight_decay)
        standing = Standing(self.model, optimizer, self.backbone_sha256, generator.get_state())
        self._resume(standing)
        generator.set_state(standing.order)
        progress = standing.progress
        while progress.epoch <= self.config.epochs and progress.epochs_waited < self.config.patience:
            order = torch.randperm(len(train), generator=generator).tolist()
            self._epoch(standing, [train[at] for at in order])
            self._end_epoch(standing, dev, self._n_steps(train))
            standing.order = generator.get_state()
            self._save(standing)
        self.model.load_state_dict(standing.best, strict=False)

    def _n_steps(self, train: Sequence[Lesson]) -> int:
        return self.config.epochs * -(-len(train) // self.config.batch_size)

    def _resume(self, standing: Standing) -> None:
        self.saved_at = time.monotonic()
        if self.checkpoint is None or not standing.take_from(self.checkpoint):
            return
        progress = standing.progress
        self.report(f"Going on from a checkpoint: epoch {progress.epoch}, after {progress.n_done} steps")
        for point in progress.points:
            self._publish(point)

    def _save(self, standing: Standing) -> None:
        if self.checkpoint is not None:
            standing.save_to(self.checkpoint)
            self.saved_at = time.monotonic()

    def _epoch(self, standing: Standing, train: Sequence[Lesson]) -> None:
        """From where it stands: the steps that a checkpoint has behind it are not taken again."""
        self.model.train()
        progress, size = standing.progress, self.config.batch_size
        batches = [train[start : start + size] for start in range(0, len(train), size)]
        between = max(1, len(batches) // POINTS_PER_EPOCH)
        for batch in batches[progress.n_done :]:
            self._set_rate(standing.optimizer, progress.step, self._n_steps(train))
            loss = self._step(standing.optimizer, batch)
            progress.n_done, progress.step = progress.n_done + 1, progress.step + 1
            progress.loss_of_epoch += loss
            progress.recent.append(loss)
            if progress.n_done % between == 0 and progress.n_done < len(batches):
                self._point(progress, self._n_steps(train))
                self.report(
                    f"Epoch {progress.epoch} of {self.config.epochs}: step {progress.n_done} of {len(batches)}"
                )
            if self.checkpoint and time.monotonic() - self.saved_at >= self.checkpoint.seconds:
                self._save(standing)

    def _set_rate(self, optimizer: AdamW, step: int, n_steps: int) -> None:
        for group in optimizer.param_groups:
            group["lr"] = self.config.learning_rate * share_of_rate(step, n_steps)

    def _step(self, optimizer: AdamW, batch: Sequence[Lesson]) -> float:
        """Gradients of a few answers at a time add up to those of the whole batch."""
        optimizer.zero_grad()
        total = 0.0
        for few in self._few(batch):
            loss = loss_of(self.model, lesson_tensors(few, self.pad)).sum() / len(batch)
            loss.backward()  # type: ignore[no-untyped-call]
            total += float(loss.detach())
        nn.utils.clip_grad_norm_(self.model.parameters(), LARGEST_STEP)
        optimizer.step()
        return total

    def _few(self, lessons: Sequence[Lesson]) -> Iterator[list[Lesson]]:
        """As many as are in memory together, those of like length beside each other."""
        ordered = sorted(lessons, key=lambda each: each.length)
        for start in range(0, len(ordered), self.config.at_once):
            yield ordered[start : start + self.config.at_once]

    def _end_epoch(self, standing: Standing, dev: Sequence[Lesson], n_steps: int) -> None:
        progress = standing.progress
        loss = progress.loss_of_epoch / max(1, progress.n_done)
        said = f"Epoch {progress.epoch} of {self.config.epochs}: loss {loss:.4f}"
        self.model.eval()
        f1 = self.dev_f1() if dev else None
        if f1 is None:
            self.report(said)
        else:
            self._judge(standing, self.loss(dev), f"{said}, validation macro-F1 {100 * f1:.1f}")
        self._point(progress, n_steps, f1)
        progress.epoch, progress.n_done, progress.loss_of_epoch = progress.epoch + 1, 0, 0.0
        if progress.epochs_waited >= self.config.patience:
            self.report(f"Stopped: no better for {progress.epochs_waited} epochs")

    def _judge(self, standing: Standing, loss: float, said: str) -> None:
        """Keeps the weights if they are the best so far: those with which the right answers are likeliest."""
        progress = standing.progress
        likelihood = math.exp(-loss)
        is_better = likelihood > progress.best_score
        progress.epochs_waited = 0 if is_better else progress.epochs_waited + 1
        if is_better:
            standing.best, progress.best_score = trained_weights(self.model), likelihood
        self.report(f"{said} and loss {loss:.4f}" + (" (best so far)" if is_better else ""))

    def loss(self, lessons: Sequence[Lesson]) -> float:
        with torch.inference_mode():
            losses = [loss_of(self.model, lesson_tensors(few, self.pad)).sum() for few in self._few(lessons)]
        return float(torch.stack(losses).sum()) / len(lessons)

    def _point(self, progress: Progress, n_steps: int, score: float | None = None) -> None:
        loss = sum(progress.recent) / max(1, len(progress.recent))
        point = TrainingPoint(progress.epoch, progress.step, n_steps, loss, score)
        progress.recent.clear()
        progress.points.append(point)
        self._publish(point)

    def _publish(self, point: TrainingPoint) -> None:
        if self.on_point is not None:
            self.on_point(point)
