"""The network: one shared encoder, attention from the judged part to its context, a head and a word head per code."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from ml_backend.encoder.layers import Halves, inputs_of
from ml_backend.encoder.packing import Pack, pack_windows
from ml_backend.encoder.plan import Group, Plan, View, by_sentence, has_marks
from ml_backend.encoder.preparing import Prepared


class ContextAttention(nn.Module):
    """Each token of the judged part looks at all tokens of the context; what it finds there is added to it.

    Starts as no change at all, so that training begins from what the judged part says alone.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.query, self.key = nn.Linear(width, width), nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    def forward(self, own: Tensor, context: Tensor, is_context: Tensor) -> Tensor:
        scores = self.query(own) @ self.key(context).transpose(1, 2) / math.sqrt(own.shape[-1])
        scores = scores.masked_fill(~is_context[:, None, :], -torch.inf)
        found: Tensor = own + scores.softmax(dim=-1) @ self.value(context)
        return found


class Network(nn.Module):
    """`forward` gives by code the logits of the answers (None for sentences) and of the kept tokens.

    While it learns with frozen layers, the encoder is read in `halves`. `width` is that of an embedding. Where a code
    has several `heads`, one for each annotator (Davani, Díaz & Prabhakaran 2022, TACL 10, 92–110), its logits have a
    row for each.
    """

    def __init__(
        self,
        encoder: Any,
        plan: Plan,
        *,
        pad: int,
        takes_types: bool,
        dropout: float,
        heads: Mapping[str, int],
    ) -> None:
        super().__init__()
        self.encoder, self.plan, self.heads = encoder, plan, heads
        self.halves: Halves | None = None
        self.pad, self.takes_types = pad, takes_types
        width = int(encoder.config.hidden_size)
        self.width = width * len(plan.groups)
        questions = [question for group in plan.groups for question in group.questions]
        self.dropout = nn.Dropout(dropout)
        attends = any(group.attends_to for group in plan.groups)
        self.attention = ContextAttention(width) if attends else None
        self.answers = nn.ModuleDict(
            {
                q.code_id: nn.Linear(2 * width, len(q.values) * heads.get(q.code_id, 1))
                for q in questions
                if not by_sentence(q)
            }
        )
        self.marks = nn.ModuleDict({q.code_id: nn.Linear(width, 1) for q in questions if has_marks(q)})

    def start_at(self, code: str, shares: Tensor) -> None:
        """Before anything is learned, answers are as probable as they are frequent; one never seen stays improbable."""
        if code in self.answers:
            _set_bias(self.answers[code], shares.log().repeat(self.heads.get(code, 1)))
        elif code in self.marks:
            _set_bias(self.marks[code], (shares[1:] / shares[0]).log())

    def head_parameters(self) -> dict[str, nn.Parameter]:
        """Everything but the encoder."""
        return {
            name: parameter for name, parameter in self.named_parameters() if not name.startswith("encoder.")
        }

    def split(self, model: Any, n_frozen: int) -> None:
        """From now on the lower layers of the model within the encoder read nothing but what is to be remembered."""
        self.halves = Halves.of(model, n_frozen)

    def remember(self, prepared: Sequence[Prepared]) -> None:
        """What the lower layers make of these examples, for all epochs; nothing where no layer is frozen."""
        if self.halves is not None:
            windows = (window for each in prepared for view in each.views.values() for window in view.windows)
            self.halves.remember(windows, self.pad, self.takes_types)

    def reading(self, plan: Plan) -> Network:
        """The same weights for fewer questions."""
        found = copy.copy(self)
        found.plan = plan
        return found

    def settle(self, encoder: Any) -> None:
        """With what was learned, in one piece."""
        self.encoder, self.halves = encoder, None

    def forward(self, batch: Sequence[Prepared]) -> dict[str, tuple[Tensor | None, Tensor | None]]:
        states = self._states(batch)
        found: dict[str, tuple[Tensor | None, Tensor | None]] = {}
        for group in self.plan.groups:
            own, is_own = self._group_states(group, states)
            pooled = pool(own, is_own)
            for question in group.questions:
                code = question.code_id
                answers = self.answers[code](pooled) if code in self.answers else None
                if answers is not None and code in self.heads:
                    answers = answers.unflatten(1, (self.heads[code], -1))
                marks = self.marks[code](own).squeeze(-1) if code in self.marks else None
                found[code] = (answers, marks)
        return found

    def embed(self, batch: Sequence[Prepared]) -> Tensor:
        """The mean state of each judged part beside the next, zeros for a part that is not there."""
        states = self._states(batch)
        found = []
        for group in self.plan.groups:
            own, is_own = self._group_states(group, states)
            is_there = torch.tensor([[each.example.asks(group.questions[0])] for each in batch])
            found.append(_mean(own, is_own) * is_there)
        return torch.cat(found, dim=-1)

    def _states(self, batch: Sequence[Prepared]) -> dict[View, tuple[Tensor, Tensor]]:
        """Of the kept tokens of each text, and which are there; all views go through the encoder together."""
        texts = {view: [each.views[view] for each in batch] for view in self.plan.views}
        together = pack_windows(texts, self.pad)
        flat = torch.cat([self._encode(pack).flatten(0, 1) for pack in together.packs])
        return {view: (flat[kept.places], kept.is_kept) for view, kept in together.kept.items()}

    def _encode(self, pack: Pack) -> Tensor:
        if self.halves is not None:
            return self.halves.states(pack)
        found: Tensor = self.encoder(**inputs_of(pack, self.takes_types)).last_hidden_state
        return found

    def _group_states(
        self, group: Group, states: Mapping[View, tuple[Tensor, Tensor]]
    ) -> tuple[Tensor, Tensor]:
        own, is_own = states[group.view]
        if group.attends_to and self.attention is not None:
            context = torch.cat([states[view][0] for view in group.attends_to], dim=1)
            is_context = torch.cat([states[view][1] for view in group.attends_to], dim=1)
            own = self.attention(own, context, is_context)
        return self.dropout(own), is_own


def _set_bias(head: nn.Module, bias: Tensor) -> None:
    head.load_state_dict({**head.state_dict(), "bias": bias})


def pool(states: Tensor, is_token: Tensor) -> Tensor:
    """Mean and maximum over the tokens: what the text is about, and whether a sign is anywhere in it."""
    highest = states.masked_fill(~is_token.unsqueeze(-1), -torch.inf).amax(dim=1)
    return torch.cat([_mean(states, is_token), highest], dim=-1)


def _mean(states: Tensor, is_token: Tensor) -> Tensor:
    mask = is_token.unsqueeze(-1)
    return (states * mask).sum(dim=1) / mask.sum(dim=1)
