"""Trains a network on one task: classes by weighted cross-entropy, numbers by their squared error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy, mse_loss
from torch.optim import AdamW

from learning.transfer.significance import score
from learning.transfer.splitting import Task, TaskItem
from learning.transfer.study import TaskKind, TrainingChoices
from ml_backend.encoder.batches import shuffled_batches
from ml_backend.encoder.config import HEAD_RATE
from ml_backend.encoder.losses import inverse_frequency_weights
from ml_backend.encoder.training import WEIGHT_DECAY
from ml_backend.encoder.windows import Window
from ml_backend.gradients.epochs import DevScore, Epochs, Watch
from ml_backend.transfer.network import TaskNetwork


@dataclass(frozen=True, slots=True)
class ReadItem:
    """An item as the network reads it."""

    window: Window
    label: float

    @property
    def n_tokens(self) -> int:
        return len(self.window.ids)

    @property
    def n_windows(self) -> int:
        return 1


@dataclass(frozen=True)
class TaskTraining:
    """`center` and `spread` are those of the numbers in the train part, which the network learns in its own units."""

    network: TaskNetwork
    task: Task
    choices: TrainingChoices
    train: Sequence[ReadItem]
    validation: Sequence[ReadItem]

    def run(self, seed: int) -> float:
        """The best score on the validation part; the network ends with the weights that had it."""
        generator = torch.Generator().manual_seed(seed)
        epochs = Epochs(
            network=self.network,
            optimizer=AdamW(self._parameters(), weight_decay=WEIGHT_DECAY),
            n_batches=len(self._batches(generator)),
            generator=generator,
            batches=self._batches,
            learn=self._learn,
            judge=self._judge,
            n_epochs=self.choices.epochs,
            patience=self.choices.patience,
            watch=Watch(lambda line: None),
        )
        epochs.run()
        return epochs.progress.best_score

    def predict(self, items: Sequence[ReadItem]) -> NDArray[np.float64]:
        found = self.network.outputs([item.window for item in items])
        if self.task.kind is TaskKind.CLASSIFICATION:
            return found.argmax(dim=1).double().numpy()
        center, spread = self._scale()
        return (found[:, 0].double() * spread + center).numpy()

    def loss(self, items: Sequence[ReadItem]) -> Tensor:
        outputs = self.network([item.window for item in items])
        labels = torch.tensor([item.label for item in items])
        if self.task.kind is TaskKind.CLASSIFICATION:
            return cross_entropy(outputs, labels.long(), weight=self._weights())
        center, spread = self._scale()
        return mse_loss(outputs[:, 0], (labels - center) / spread)

    def _learn(self, places: Sequence[int]) -> float:
        loss = self.loss([self.train[at] for at in places])
        loss.backward()  # type: ignore[no-untyped-call]
        return float(loss.detach())

    def _judge(self) -> DevScore | None:
        gold = np.array([item.label for item in self.validation])
        found = score(self.task.kind, len(self.task.classes), gold, self.predict(self.validation))
        # Where all predictions are the same a correlation has no value; that is as bad as none
        found = 0.0 if np.isnan(found) else found
        return DevScore(found, found, f"{self.task.kind.metric} {found:.3f}")

    def _batches(self, generator: torch.Generator) -> list[list[int]]:
        return shuffled_batches(self.train, self.choices.batch_size, generator)

    def _weights(self) -> Tensor:
        counts = torch.bincount(
            torch.tensor([int(item.label) for item in self.train]), minlength=len(self.task.classes)
        )
        return inverse_frequency_weights(counts.float(), self.choices.balance)

    def _scale(self) -> tuple[float, float]:
        labels = np.array([item.label for item in self.train])
        return float(labels.mean()), float(labels.std()) or 1.0

    def _parameters(self) -> list[dict[str, object]]:
        return [
            {"params": self.network.encoder_parameters(), "rate": self.choices.learning_rate},
            {"params": self.network.head_parameters(), "rate": HEAD_RATE},
        ]


def items_read(items: Sequence[TaskItem], windows: Sequence[Window]) -> list[ReadItem]:
    return [ReadItem(window, item.label) for item, window in zip(items, windows, strict=True)]
