"""The network: sentences of the judged text and of the other look at each other, and each judged one gets a logit.

With P (n × d) the sentences of the judged text, R (m × d) those of the other, and W learned, the affinity is
A = P W R' / sqrt(d). Each judged sentence looks at the others, C = softmax(A) R, each of the others back,
D = softmax(A') P, and what a judged one sees of that is softmax(A) D. All stand side by side before the head
(co-attention after Xiong, Zhong and Socher, “Dynamic Coattention Networks for Question Answering”, ICLR 2017).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from codebook.questions import ModelQuestion
from ml_backend.co_attention.config import CoAttentionConfig

LOWEST = -1e9


@dataclass(frozen=True, slots=True)
class Batch:
    """Of one judged part: sentences, padded, and which are there; `rows` are the positions of the judged ones."""

    own: Tensor
    is_own: Tensor
    other: Tensor
    is_other: Tensor
    rows: Tensor


class CoAttention(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.affinity = nn.Linear(width, width, bias=False)
        nn.init.eye_(self.affinity.weight)

    def forward(self, batch: Batch) -> Tensor:
        scores = self.affinity(batch.own) @ batch.other.transpose(1, 2) / math.sqrt(batch.own.shape[-1])
        to_other = _shares(scores, batch.is_other)
        to_own = _shares(scores.transpose(1, 2), batch.is_own)
        seen = to_other @ batch.other
        seen_back = to_other @ (to_own @ batch.own)
        return torch.cat([batch.own, seen, seen_back, batch.own * seen], dim=-1)


class Beside(nn.Module):
    """The simple variant: the mean of the other text beside each sentence."""

    def forward(self, batch: Batch) -> Tensor:
        count = batch.is_other.sum(dim=1).clamp(min=1)[:, None]
        mean = (batch.other * batch.is_other[..., None]).sum(dim=1) / count
        return torch.cat([batch.own, mean[:, None, :].expand_as(batch.own)], dim=-1)


class CoAttentionNetwork(nn.Module):
    """`forward` gives by code a logit for each judged sentence."""

    def __init__(
        self, questions: Sequence[ModelQuestion], config: CoAttentionConfig, *, width: int, n_positions: int
    ) -> None:
        super().__init__()
        self.config = config
        self.norm = nn.LayerNorm(width)
        self.meeting: nn.Module = CoAttention(width) if config.attention else Beside()
        n_in = width * (4 if config.attention else 2) + (n_positions if config.positions else 0)
        self.dropout = nn.Dropout(config.dropout)
        self.heads = nn.ModuleDict({question.code_id: _head(n_in, config) for question in questions})

    def forward(self, batch: Batch, codes: Sequence[str]) -> dict[str, Tensor]:
        batch = Batch(self.norm(batch.own), batch.is_own, self.norm(batch.other), batch.is_other, batch.rows)
        states = self.dropout(self.meeting(batch))
        if self.config.positions:
            states = torch.cat([states, batch.rows], dim=-1)
        return {code: self.heads[code](states).squeeze(-1) for code in codes}

    def start_at(self, code: str, share: float) -> None:
        """Before anything is learned, a sentence is as probable to be marked as it is frequent."""
        *_, last = self.heads[code].children()
        bias = torch.tensor([math.log(share / (1 - share))])
        last.load_state_dict({**last.state_dict(), "bias": bias})


def _head(n_in: int, config: CoAttentionConfig) -> nn.Sequential:
    if not config.hidden:
        return nn.Sequential(nn.Linear(n_in, 1))
    return nn.Sequential(
        nn.Linear(n_in, config.hidden), nn.GELU(), nn.Dropout(config.dropout), nn.Linear(config.hidden, 1)
    )


def _shares(scores: Tensor, is_there: Tensor) -> Tensor:
    """Softmax over what is there; nothing where nothing is."""
    found: Tensor = scores.masked_fill(~is_there[:, None, :], LOWEST).softmax(dim=-1) * is_there[:, None, :]
    return found
