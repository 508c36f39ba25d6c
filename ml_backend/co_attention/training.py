"""Trains the network on prepared examples; those of the validation part say which weights are kept."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import nn
from torch.optim import AdamW

from codebook.questions import ModelQuestion
from ml_backend.co_attention.batches import gold_of, logits_of, part_batches, scores_of, shares_of
from ml_backend.co_attention.config import FROZEN_RATE, CoAttentionConfig
from ml_backend.co_attention.losses import sentence_loss
from ml_backend.co_attention.network import Networks
from ml_backend.co_attention.preparing import Prepared, SentenceList
from ml_backend.co_attention.sentence_encoder import SentenceEncoder
from ml_backend.gradients.epochs import DevScore, Epochs, Watch
from ml_backend.learners.dev_scores import best_sentence_f1

WEIGHT_DECAY = 0.01
# Items that differ by less than so many sentences are mixed.
LENGTHS_TOGETHER = 3


def restarting_share(step: int, period: int) -> float:
    """Along half a cosine from all to nothing, again and again (Loshchilov and Hutter, “SGDR”, ICLR 2017).

    >>> [round(restarting_share(step, 4), 3) for step in (0, 2, 3, 4)]
    [1.0, 0.5, 0.146, 1.0]
    """
    return (1 + math.cos(math.pi * (step % period) / period)) / 2


class Whole(nn.Module):
    """The network and, where it learns, the backbone, so that one state holds all that is learned."""

    def __init__(self, network: Networks, encoder: SentenceEncoder, *, trains_backbone: bool) -> None:
        super().__init__()
        self.network = network
        self.backbone: nn.Module | None = encoder.model if trains_backbone else None


@dataclass(frozen=True)
class Training:
    """`inherited` are the codes that another adapter answered, from which training begins."""

    whole: Whole
    encoder: SentenceEncoder
    sentences: SentenceList
    questions: Sequence[ModelQuestion]
    config: CoAttentionConfig
    train: Sequence[Prepared]
    dev: Sequence[Prepared]
    watch: Watch
    inherited: frozenset[str] = frozenset()

    def run(self, seed: int) -> None:
        generator = torch.Generator().manual_seed(seed)
        for code, share in shares_of(self.train, self.questions).items():
            if code not in self.inherited:
                for member in self.whole.network.each:
                    member.start_at(code, share)
        n_steps = len(self._steps(generator))
        Epochs(
            network=self.whole,
            optimizer=AdamW(self._parameters(), weight_decay=WEIGHT_DECAY),
            n_batches=n_steps,
            generator=generator,
            batches=self._steps,
            learn=self._learn,
            judge=self._judge,
            n_epochs=self.config.epochs,
            patience=self.config.patience,
            watch=self.watch,
            share=lambda step, _: restarting_share(step, self.config.restart * n_steps),
        ).run()

    def _steps(self, generator: torch.Generator) -> list[list[list[int]]]:
        """Of each step the batches whose gradients are added up. Items of like length go together, so that little is
        padded; while the backbone learns, those that begin with the same sentence, which is then read once."""
        order = torch.randperm(len(self.train), generator=generator).tolist()
        if self.whole.backbone is not None:
            rank = {place: at for at, place in reversed(list(enumerate(map(self._first_sentence, order))))}
            order = sorted(order, key=lambda at: rank[self._first_sentence(at)])
        else:
            apart = (LENGTHS_TOGETHER * torch.rand(len(self.train), generator=generator)).tolist()
            order = sorted(order, key=lambda at: self._n_sentences(at) + apart[at])
        size = self.config.batch_size
        batches = [order[first : first + size] for first in range(0, len(order), size)]
        several = self.config.accumulate
        steps = [batches[first : first + several] for first in range(0, len(batches), several)]
        return [steps[at] for at in torch.randperm(len(steps), generator=generator).tolist()]

    def _first_sentence(self, at: int) -> int:
        return min((own[0] for own in self.train[at].sentences.values() if own), default=-1)

    def _n_sentences(self, at: int) -> int:
        return max(map(len, self.train[at].sentences.values()), default=0)

    def _learn(self, step: Sequence[Sequence[int]]) -> float:
        return sum(self._add_gradients([self.train[at] for at in batch], len(step)) for batch in step)

    def _add_gradients(self, batch: Sequence[Prepared], n_batches: int) -> float:
        losses = []
        batches = part_batches(self.encoder, self.sentences, self.questions, batch)
        for member in self.whole.network.each:
            for code, (examples, logits) in logits_of(member, batches).items():
                found, gold, weights = gold_of(examples, code, logits)
                if len(gold):
                    losses.append(sentence_loss(found, gold, weights, self.config))
        if not losses:
            return 0.0
        loss = torch.stack(losses).mean() / n_batches
        loss.backward()  # type: ignore[no-untyped-call]
        return float(loss.detach())

    def _judge(self) -> DevScore | None:
        if not self.dev:
            return None
        scores = scores_of(self.whole.network, self.encoder, self.sentences, self.questions, self.dev)
        f1 = best_sentence_f1(self.questions, [each.example for each in self.dev], scores)
        return None if f1 is None else DevScore(f1, f1, f"validation F1 {100 * f1:.1f}")

    def _parameters(self) -> list[dict[str, object]]:
        """`rate` is the highest of each."""
        backbone = [] if self.whole.backbone is None else self.whole.backbone.parameters()
        learned = [parameter for parameter in backbone if parameter.requires_grad]
        rate = FROZEN_RATE if learned else self.config.rate
        own = {"params": list(self.whole.network.parameters()), "rate": rate}
        return [own, {"params": learned, "rate": self.config.rate}] if learned else [own]
