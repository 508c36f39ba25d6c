"""Trains the network epoch by epoch and keeps the weights that were best on the validation part."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import nn
from torch.optim import AdamW

from annotation.training_points import TrainingPoint
from codebook.questions import ModelQuestion
from ml_backend.encoder.batches import shuffled_batches
from ml_backend.encoder.config import HEAD_RATE, EncoderConfig
from ml_backend.encoder.losses import Balance, loss_of
from ml_backend.encoder.network import Network
from ml_backend.encoder.preparing import Prepared
from ml_backend.encoder.progress import Progress, Standing, trained_weights
from ml_backend.encoder.scoring import mean_f1, scores_of
from ml_backend.learners.checkpoint import Checkpoint
from ml_backend.learners.interface import OnPoint, Report
from ml_backend.learners.learning_rate import share_of_rate

WEIGHT_DECAY = 0.01
LARGEST_STEP = 1.0
POINTS_PER_EPOCH = 10


@dataclass
class Training:
    """`backbone_sha256` names the weights that a checkpoint can be put on again."""

    network: Network
    questions: Sequence[ModelQuestion]
    config: EncoderConfig
    report: Report
    backbone_sha256: str = ""
    checkpoint: Checkpoint | None = None
    on_point: OnPoint | None = None
    saved_at: float = 0.0

    def run(self, train: Sequence[Prepared], dev: Sequence[Prepared], seed: int) -> None:
        """The network ends with its best weights; without a validation part, with its last."""
        generator = torch.Generator().manual_seed(seed)
        balance = Balance.of(self.questions, train, self.config.balance)
        for question in self.questions:
            self.network.start_at(question.code_id, balance.shares(question.code_id))
        n_steps = self.config.epochs * len(shuffled_batches(train, self.config.batch_size, generator))
        optimizer = AdamW(self._parameters(), weight_decay=WEIGHT_DECAY)
        standing = Standing(self.network, optimizer, self.backbone_sha256, generator.get_state())
        self._resume(standing)
        generator.set_state(standing.order)
        progress = standing.progress
        if self._goes_on(progress):
            self._read_lower_layers(train, dev)
        while self._goes_on(progress):
            order = shuffled_batches(train, self.config.batch_size, generator)
            self._epoch(standing, train, order, balance, n_steps)
            self._end_epoch(standing, dev, n_steps)
            standing.order = generator.get_state()
            self._save(standing)
        self.network.load_state_dict(standing.best, strict=False)

    def _goes_on(self, progress: Progress) -> bool:
        return progress.epoch <= self.config.epochs and progress.epochs_waited < self.config.patience

    def _read_lower_layers(self, train: Sequence[Prepared], dev: Sequence[Prepared]) -> None:
        """All at once and in one order, so that a training that was stopped finds the same numbers again."""
        if self.config.frozen_layers:
            self.report(f"Reading all texts once with the lowest {self.config.frozen_layers} layers")
            self.network.remember([*train, *dev])

    def _resume(self, standing: Standing) -> None:
        self.saved_at = time.monotonic()
        if self.checkpoint is None or not standing.take_from(self.checkpoint):
            return
        progress = standing.progress
        self.report(f"Going on from a checkpoint: epoch {progress.epoch}, after {progress.n_done} batches")
        for point in progress.points:
            self._publish(point)

    def _save(self, standing: Standing) -> None:
        if self.checkpoint is not None:
            standing.save_to(self.checkpoint)
            self.saved_at = time.monotonic()

    def _epoch(
        self,
        standing: Standing,
        train: Sequence[Prepared],
        order: Sequence[Sequence[int]],
        balance: Balance,
        n_steps: int,
    ) -> None:
        """From where it stands: the batches that a checkpoint has behind it are not read again."""
        self.network.train()
        progress = standing.progress
        between = max(1, len(order) // POINTS_PER_EPOCH)
        for places in order[progress.n_done :]:
            _set_rates(standing.optimizer, progress.step, n_steps)
            batch = [train[at] for at in places]
            loss = self._step(standing.optimizer, batch, balance)
            progress.n_done, progress.step = progress.n_done + 1, progress.step + 1
            progress.loss_of_epoch += loss
            progress.recent.append(loss)
            if progress.n_done % between == 0 and progress.n_done < len(order):
                self._point(progress, n_steps)
                self.report(
                    f"Epoch {progress.epoch} of {self.config.epochs}: batch {progress.n_done} of {len(order)}"
                )
            if self.checkpoint and time.monotonic() - self.saved_at >= self.checkpoint.seconds:
                self._save(standing)

    def _step(self, optimizer: AdamW, batch: Sequence[Prepared], balance: Balance) -> float:
        outputs = self.network(batch)
        loss = loss_of(self.questions, batch, outputs, balance, self.config.evidence_weight)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.network.parameters(), LARGEST_STEP)
        optimizer.step()
        return float(loss.detach())

    def _end_epoch(self, standing: Standing, dev: Sequence[Prepared], n_steps: int) -> None:
        progress = standing.progress
        loss = progress.loss_of_epoch / max(1, progress.n_done)
        said = f"Epoch {progress.epoch} of {self.config.epochs}: loss {loss:.4f}"
        if dev:
            score = mean_f1(self.questions, dev, scores_of(self.network, self.questions, dev, self.report))
            self._judge(standing, score, said)
        else:
            score = None
            self.report(said)
        self._point(progress, n_steps, score)
        progress.epoch, progress.n_done, progress.loss_of_epoch = progress.epoch + 1, 0, 0.0
        if progress.epochs_waited >= self.config.patience:
            self.report(f"Stopped: no better for {progress.epochs_waited} epochs")

    def _judge(self, standing: Standing, score: float, said: str) -> None:
        """Keeps the weights if they are the best so far."""
        progress = standing.progress
        is_better = score > progress.best_score
        progress.epochs_waited = 0 if is_better else progress.epochs_waited + 1
        if is_better:
            standing.best, progress.best_score = trained_weights(self.network), score
        self.report(
            f"{said}, validation macro-F1 {100 * score:.1f}" + (" (best so far)" if is_better else "")
        )

    def _point(self, progress: Progress, n_steps: int, score: float | None = None) -> None:
        loss = sum(progress.recent) / max(1, len(progress.recent))
        point = TrainingPoint(progress.epoch, progress.step, n_steps, loss, score)
        progress.recent.clear()
        progress.points.append(point)
        self._publish(point)

    def _publish(self, point: TrainingPoint) -> None:
        if self.on_point is not None:
            self.on_point(point)

    def _parameters(self) -> list[dict[str, object]]:
        """`rate` is the highest of each; `lr` is set step by step."""
        heads = self.network.head_parameters()
        encoder = [
            parameter
            for name, parameter in self.network.named_parameters()
            if parameter.requires_grad and name not in heads
        ]
        return [
            {"params": encoder, "rate": self.config.rate},
            {"params": list(heads.values()), "rate": HEAD_RATE},
        ]


def _set_rates(optimizer: AdamW, step: int, n_steps: int) -> None:
    for group in optimizer.param_groups:
        group["lr"] = group["rate"] * share_of_rate(step, n_steps)
