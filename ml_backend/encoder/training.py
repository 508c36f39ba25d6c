"""Trains the network epoch by epoch and keeps the weights that were best on the validation part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.optim import AdamW
from torch.optim.lr_scheduler import LambdaLR

from codebook.questions import ModelQuestion
from ml_backend.encoder.batches import shuffled_batches
from ml_backend.encoder.config import HEAD_RATE, EncoderConfig
from ml_backend.encoder.losses import Balance, loss_of
from ml_backend.encoder.network import Network
from ml_backend.encoder.preparing import Prepared
from ml_backend.encoder.scoring import mean_f1, scores_of
from ml_backend.learners.interface import Report

WEIGHT_DECAY = 0.01
WARM_UP = 0.1
LARGEST_STEP = 1.0
REPORTS_PER_EPOCH = 10


@dataclass
class Training:
    network: Network
    questions: Sequence[ModelQuestion]
    config: EncoderConfig
    report: Report
    best: dict[str, Tensor] = field(default_factory=dict)
    best_f1: float = -1.0
    epochs_waited: int = 0

    def run(self, train: Sequence[Prepared], dev: Sequence[Prepared], seed: int) -> None:
        """The network ends with its best weights; without a validation part, with its last."""
        generator = torch.Generator().manual_seed(seed)
        balance = Balance.of(self.questions, train, self.config.balance)
        for question in self.questions:
            self.network.start_at(question.code_id, balance.shares(question.code_id))
        optimizer = AdamW(self._parameters(), weight_decay=WEIGHT_DECAY)
        n_steps = self.config.epochs * len(shuffled_batches(train, self.config.batch_size, generator))
        schedule = LambdaLR(optimizer, lambda step: _share_of_rate(step, n_steps))
        for epoch in range(1, self.config.epochs + 1):
            order = shuffled_batches(train, self.config.batch_size, generator)
            loss = self._epoch(epoch, train, order, balance, optimizer, schedule)
            said = f"Epoch {epoch} of {self.config.epochs}: loss {loss:.4f}"
            if not dev:
                self.report(said)
            elif not self._goes_on(said, dev):
                break
        self.network.load_state_dict(self.best, strict=False)

    def _goes_on(self, said: str, dev: Sequence[Prepared]) -> bool:
        """Keeps the weights if they are the best so far; False once there was no gain for long enough."""
        reached = mean_f1(self.questions, dev, scores_of(self.network, self.questions, dev, self.report))
        is_better = reached > self.best_f1
        self.epochs_waited = 0 if is_better else self.epochs_waited + 1
        self.report(
            f"{said}, validation macro-F1 {100 * reached:.1f}" + (" (best so far)" if is_better else "")
        )
        if is_better:
            self.best, self.best_f1 = self._weights(), reached
        if self.epochs_waited < self.config.patience:
            return True
        self.report(f"Stopped: no better for {self.epochs_waited} epochs")
        return False

    def _parameters(self) -> list[dict[str, object]]:
        heads = self.network.head_parameters()
        encoder = [
            parameter
            for name, parameter in self.network.named_parameters()
            if parameter.requires_grad and name not in heads
        ]
        return [
            {"params": encoder, "lr": self.config.rate},
            {"params": list(heads.values()), "lr": HEAD_RATE},
        ]

    def _epoch(
        self,
        epoch: int,
        train: Sequence[Prepared],
        order: Sequence[Sequence[int]],
        balance: Balance,
        optimizer: AdamW,
        schedule: LambdaLR,
    ) -> float:
        self.network.train()
        total = 0.0
        step = max(1, len(order) // REPORTS_PER_EPOCH)
        for n, places in enumerate(order, start=1):
            batch = [train[at] for at in places]
            outputs = self.network(batch)
            loss = loss_of(self.questions, batch, outputs, balance, self.config.evidence_weight)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(self.network.parameters(), LARGEST_STEP)
            optimizer.step()
            schedule.step()
            total += float(loss.detach())
            if n % step == 0 and n < len(order):
                self.report(f"Epoch {epoch} of {self.config.epochs}: batch {n} of {len(order)}")
        return total / len(order)

    def _weights(self) -> dict[str, Tensor]:
        return {
            name: parameter.detach().clone()
            for name, parameter in self.network.named_parameters()
            if parameter.requires_grad
        }


def _share_of_rate(step: int, n_steps: int) -> float:
    """Up in the first tenth of all steps, then down to nothing."""
    warm = max(1, int(WARM_UP * n_steps))
    if step < warm:
        return (step + 1) / warm
    return max(0.0, (n_steps - step) / max(1, n_steps - warm))
