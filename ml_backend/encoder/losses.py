"""What training lowers: weighted cross-entropy over the known answers, and over the words or sentences behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from codebook.questions import ModelQuestion
from ml_backend.encoder.plan import by_sentence
from ml_backend.encoder.preparing import Known, Prepared
from ml_backend.encoder.units import UnitsOfBatch

Outputs = Mapping[str, tuple[Tensor | None, Tensor | None]]
# What an answer that never occurs counts as, in labels.
UNSEEN = 0.1
_UNSAID = -100


@dataclass(frozen=True, slots=True)
class Balance:
    """By code, how often each answer is in training, and how much one such label counts: rare ones more."""

    counts: Mapping[str, Tensor]
    weights: Mapping[str, Tensor]

    @classmethod
    def of(
        cls,
        questions: Sequence[ModelQuestion],
        train: Sequence[Prepared],
        power: float,
        *,
        soft: bool = False,
    ) -> Balance:
        """If `soft`, all answers count the same but those of sentences."""
        counts = {question.code_id: _counts(question, train) for question in questions}
        powers = {each.code_id: 0.0 if soft and not by_sentence(each) else power for each in questions}
        return cls(
            counts, {code: inverse_frequency_weights(found, powers[code]) for code, found in counts.items()}
        )

    def shares(self, code: str) -> Tensor:
        """As training sees them, never quite 0."""
        seen = self.counts[code] * self.weights[code] + UNSEEN
        return seen / seen.sum()


def _counts(question: ModelQuestion, train: Sequence[Prepared]) -> Tensor:
    """Of labels; where sentences are asked for, of sentences that were not marked and that were."""
    counts = np.zeros(len(question.values))
    for each in train:
        known = each.known.get(question.code_id)
        if known is not None and not by_sentence(question):
            counts[known.place] += 1
        elif known is not None and known.marked is not None:
            counts += [(~known.marked).sum(), known.marked.sum()]
    return torch.tensor(counts, dtype=torch.float32)


def inverse_frequency_weights(counts: Tensor, power: float) -> Tensor:
    """A power of the inverse frequency, scaled so that a label counts 1 on average; what never occurs counts 0."""
    raised = torch.where(counts > 0, counts.clamp(min=1) ** -power, 0.0)
    return raised * counts.sum() / (raised * counts).sum().clamp(min=1e-12)


def loss_of(
    questions: Sequence[ModelQuestion],
    batch: Sequence[Prepared],
    outputs: Outputs,
    balance: Balance,
    evidence_weight: float,
) -> Tensor:
    """The mean over codes of the answers' loss, plus the weighted mean of the loss on words."""
    answers, evidence = [], []
    of_batch = UnitsOfBatch(batch)
    for question in questions:
        code = question.code_id
        rows = [at for at, each in enumerate(batch) if code in each.known]
        if not rows:
            continue
        known = [batch[at].known[code] for at in rows]
        logits, marks = outputs[code]
        if logits is not None:
            answers.append(_answer_loss(logits[rows], known, balance.weights[code]))
        if marks is not None:
            units = of_batch.logits(code, marks)
            if by_sentence(question):
                answers.append(_mark_loss(units, rows, known, balance.weights[code]))
            else:
                evidence.append(_mark_loss(units, rows, known, torch.ones(2)))
    total = torch.stack(answers).mean() if answers else torch.zeros(())
    if evidence:
        total = total + evidence_weight * torch.stack(evidence).mean()
    return total


def _answer_loss(logits: Tensor, known: Sequence[Known], weights: Tensor) -> Tensor:
    """`logits` has a row for each head in each item where annotators have heads of their own."""
    if logits.dim() == 3:
        return _heads_loss(logits, known)
    if known[0].shares:
        losses = cross_entropy(logits, torch.tensor([each.shares for each in known]), reduction="none")
        return (losses * torch.tensor([each.weight for each in known])).mean()
    gold = torch.tensor([each.place for each in known])
    counted = torch.tensor([each.weight for each in known]) * weights[gold]
    return (cross_entropy(logits, gold, reduction="none") * counted).mean()


def _heads_loss(logits: Tensor, known: Sequence[Known]) -> Tensor:
    """Mean over an item's annotators, then over items; a head learns only what its annotator said."""
    gold = torch.full(logits.shape[:2], _UNSAID)
    for row, each in enumerate(known):
        for head, place in each.said:
            gold[row, head] = place
    losses = cross_entropy(logits.transpose(1, 2), gold, reduction="none", ignore_index=_UNSAID)
    of_items = losses.sum(dim=1) / (gold != _UNSAID).sum(dim=1).clamp(min=1)
    return (of_items * torch.tensor([each.weight for each in known])).mean()


def _mark_loss(units: Tensor, rows: Sequence[int], known: Sequence[Known], weights: Tensor) -> Tensor:
    """Mean over units, then over the items that say where: a long text counts no more than a short one."""
    losses = []
    for row, each in zip(rows, known, strict=True):
        if each.marked is None or not len(each.marked):
            continue
        gold = torch.from_numpy(each.marked).float()
        loss = binary_cross_entropy_with_logits(units[row, : len(gold)], gold, reduction="none")
        losses.append(each.weight * (loss * weights[gold.long()]).mean())
    return torch.stack(losses).mean() if losses else units.sum() * 0.0
