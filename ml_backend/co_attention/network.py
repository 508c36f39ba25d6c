"""The network: sentences of the judged text and of the other look at each other, and each judged one gets a logit.

With P (n × d) the sentences of the judged text, R (m × d) those of the other, and W learned, the affinity is
A = P W R' / sqrt(d). Each judged sentence looks at the others, C = softmax(A) R, each of the others back,
D = softmax(A') P, and what a judged one sees of that is softmax(A) D. All stand side by side before the head
(co-attention after Xiong, Zhong and Socher, “Dynamic Coattention Networks for Question Answering”, ICLR 2017).
With `layers` the judged sentences then look at each other, in whose order their positions tell (Vaswani et al.,
“Attention Is All You Need”, NeurIPS 2017).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from codebook.questions import ModelQuestion
from ml_backend.co_attention.config import HEADS, CoAttentionConfig

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


class SentenceOrder(nn.Module):
    """The judged sentences look at each other."""

    def __init__(self, n_in: int, config: CoAttentionConfig) -> None:
        super().__init__()
        width = config.hidden
        self.narrow = nn.Linear(n_in, width)
        layer = nn.TransformerEncoderLayer(
            width,
            HEADS,
            2 * width,
            config.dropout,
            activation="gelu",
            batch_first=True,
            norm_first=True,
        )
        self.layers = nn.TransformerEncoder(layer, config.layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(width)

    def forward(self, states: Tensor, is_there: Tensor) -> Tensor:
        found: Tensor = self.norm(self.layers(self.narrow(states), src_key_padding_mask=~is_there))
        return found


class CoAttentionNetwork(nn.Module):
    """`forward` gives by code a logit for each judged sentence, of which `n_rows` numbers are known besides words."""

    def __init__(
        self, questions: Sequence[ModelQuestion], config: CoAttentionConfig, *, width: int, n_rows: int
    ) -> None:
        super().__init__()
        self.config = config
        self.norm = nn.LayerNorm(width)
        self.meeting: nn.Module = CoAttention(width) if config.attention else Beside()
        self.dropout = nn.Dropout(config.dropout)
        n_in = width * (4 if config.attention else 2) + n_rows
        self.order = SentenceOrder(n_in, config) if config.layers else None
        n_states = config.hidden if config.layers else n_in
        n_hidden = 0 if config.layers else config.hidden
        self.heads = nn.ModuleDict(
            {question.code_id: _head(n_states, n_hidden, config.dropout) for question in questions}
        )

    def forward(self, batch: Batch, codes: Sequence[str]) -> dict[str, Tensor]:
        batch = Batch(self.norm(batch.own), batch.is_own, self.norm(batch.other), batch.is_other, batch.rows)
        states = torch.cat([self.dropout(self.meeting(batch)), batch.rows], dim=-1)
        if self.order is not None:
            states = self.order(states, batch.is_own)
        return {code: self.heads[code](states).squeeze(-1) for code in codes}

    def start_at(self, code: str, share: float) -> None:
        """Before anything is learned, a sentence is as probable to be marked as it is frequent."""
        *_, last = self.heads[code].children()
        bias = torch.tensor([math.log(share / (1 - share))])
        last.load_state_dict({**last.state_dict(), "bias": bias})


class Networks(nn.Module):
    """Several that differ in how they begin and what they drop: the mean of their logits is surer than each."""

    def __init__(
        self, questions: Sequence[ModelQuestion], config: CoAttentionConfig, *, width: int, n_rows: int
    ) -> None:
        super().__init__()
        made = (
            CoAttentionNetwork(questions, config, width=width, n_rows=n_rows)
            for _ in range(config.n_networks)
        )
        self.members = nn.ModuleList(made)

    @property
    def each(self) -> list[CoAttentionNetwork]:
        return [member for member in self.members if isinstance(member, CoAttentionNetwork)]

    def forward(self, batch: Batch, codes: Sequence[str]) -> dict[str, Tensor]:
        said = [member(batch, codes) for member in self.each]
        return {code: torch.stack([each[code] for each in said]).mean(dim=0) for code in codes}


def _head(n_in: int, n_hidden: int, dropout: float) -> nn.Sequential:
    if not n_hidden:
        return nn.Sequential(nn.Linear(n_in, 1))
    return nn.Sequential(nn.Linear(n_in, n_hidden), nn.GELU(), nn.Dropout(dropout), nn.Linear(n_hidden, 1))


def _shares(scores: Tensor, is_there: Tensor) -> Tensor:
    """Softmax over what is there; nothing where nothing is."""
    found: Tensor = scores.masked_fill(~is_there[:, None, :], LOWEST).softmax(dim=-1) * is_there[:, None, :]
    return found
