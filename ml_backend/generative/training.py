"""Trains low-rank additions on lessons; the loss on those of the validation part says which weights are kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.optim import AdamW

from ml_backend.generative.config import GenerativeConfig
from ml_backend.generative.lessons import Lesson, lesson_tensors, loss_of
from ml_backend.gradients.epochs import DevScore, Epochs, Watch


@dataclass(frozen=True)
class Training:
    """The loss moves before any answer does; `dev_f1` is for people to see."""

    model: Any
    config: GenerativeConfig
    pad: int
    train: Sequence[Lesson]
    dev: Sequence[Lesson]
    dev_f1: Callable[[], float | None]
    watch: Watch

    def run(self, seed: int) -> None:
        learned = [each for each in self.model.parameters() if each.requires_grad]
        groups = [{"params": learned, "rate": self.config.learning_rate}]
        Epochs(
            network=self.model,
            optimizer=AdamW(groups, weight_decay=self.config.weight_decay),
            generator=torch.Generator().manual_seed(seed),
            batches=self._batches,
            learn=self._learn,
            judge=self._judge,
            n_epochs=self.config.epochs,
            n_batches=-(-len(self.train) // self.config.batch_size),
            patience=self.config.patience,
            watch=self.watch,
        ).run()

    def _batches(self, generator: torch.Generator) -> list[list[Lesson]]:
        order = torch.randperm(len(self.train), generator=generator).tolist()
        size = self.config.batch_size
        return [
            [self.train[at] for at in order[start : start + size]] for start in range(0, len(order), size)
        ]

    def _learn(self, batch: Sequence[Lesson]) -> float:
        """Gradients of a few answers at a time add up to those of the whole batch."""
        total = 0.0
        for few in self._few(batch):
            loss = loss_of(self.model, lesson_tensors(few, self.pad)).sum() / len(batch)
            loss.backward()  # type: ignore[no-untyped-call]
            total += float(loss.detach())
        return total

    def _judge(self) -> DevScore | None:
        """The best weights are those with which the right answers are likeliest."""
        if not self.dev:
            return None
        f1, loss = self.dev_f1(), self.loss(self.dev)
        told = "" if f1 is None else f"validation macro-F1 {100 * f1:.1f} and "
        return DevScore(math.exp(-loss), f1, f"{told}validation loss {loss:.4f}")

    def loss(self, lessons: Sequence[Lesson]) -> float:
        with torch.inference_mode():
            losses = [loss_of(self.model, lesson_tensors(few, self.pad)).sum() for few in self._few(lessons)]
        return float(torch.stack(losses).sum()) / len(lessons)

    def _few(self, lessons: Sequence[Lesson]) -> Iterator[list[Lesson]]:
        """As many as are in memory together, those of like length beside each other."""
        ordered = sorted(lessons, key=lambda each: each.length)
        for start in range(0, len(ordered), self.config.at_once):
            yield ordered[start : start + self.config.at_once]
