"""Trains the network on prepared examples; those of the validation part say which weights are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch.optim import AdamW

from codebook.questions import ModelQuestion
from ml_backend.encoder.batches import shuffled_batches
from ml_backend.encoder.config import HEAD_RATE, EncoderConfig
from ml_backend.encoder.losses import Balance, loss_of
from ml_backend.encoder.network import Network
from ml_backend.encoder.preparing import Prepared
from ml_backend.encoder.scoring import mean_f1, scores_of
from ml_backend.gradients.epochs import DevScore, Epochs, Watch

WEIGHT_DECAY = 0.01


@dataclass(frozen=True)
class Training:
    """`inherited` are the codes that another adapter answered, from which training begins."""

    network: Network
    questions: Sequence[ModelQuestion]
    config: EncoderConfig
    train: Sequence[Prepared]
    dev: Sequence[Prepared]
    watch: Watch
    inherited: frozenset[str] = frozenset()

    def run(self, seed: int) -> None:
        generator = torch.Generator().manual_seed(seed)
        balance = Balance.of(self.questions, self.train, self.config.balance, soft=self.config.is_soft)
        for question in self.questions:
            if question.code_id not in self.inherited:
                self.network.start_at(question.code_id, balance.shares(question.code_id))
        epochs = Epochs(
            network=self.network,
            optimizer=AdamW(self._parameters(), weight_decay=WEIGHT_DECAY),
            n_batches=len(self._batches(generator)),
            generator=generator,
            batches=self._batches,
            learn=lambda batch: self._learn(batch, balance),
            judge=self._judge,
            n_epochs=self.config.epochs,
            patience=self.config.patience,
            watch=self.watch,
        )
        if not epochs.is_over:
            self._read_lower_layers()
        epochs.run()

    def _read_lower_layers(self) -> None:
        """All at once and in one order, so that a training that was stopped finds the same numbers again."""
        if self.config.frozen_layers:
            self.watch.report(f"Reading all texts once with the lowest {self.config.frozen_layers} layers")
            self.network.remember([*self.train, *self.dev])

    def _batches(self, generator: torch.Generator) -> list[list[int]]:
        return shuffled_batches(self.train, self.config.batch_size, generator)

    def _learn(self, places: Sequence[int], balance: Balance) -> float:
        batch = [self.train[at] for at in places]
        loss = loss_of(self.questions, batch, self.network(batch), balance, self.config.evidence_weight)
        loss.backward()  # type: ignore[no-untyped-call]
        return float(loss.detach())

    def _judge(self) -> DevScore | None:
        if not self.dev:
            return None
        scores = scores_of(self.network, self.questions, self.dev, self.watch.report)
        f1 = mean_f1(self.questions, self.dev, scores)
        return None if f1 is None else DevScore(f1, f1, f"validation macro-F1 {100 * f1:.1f}")

    def _parameters(self) -> list[dict[str, object]]:
        """`rate` is the highest of each."""
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
