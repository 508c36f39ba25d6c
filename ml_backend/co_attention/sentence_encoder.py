"""Sentences one by one through a backbone to a vector each: read once, or read anew while the backbone learns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from ml_backend.co_attention.config import Pooling
from ml_backend.encoder.backbone import Backbone
from ml_backend.encoder.layers import Halves, inputs_of
from ml_backend.encoder.packing import cuts, make_pack
from ml_backend.encoder.windows import Window


@dataclass
class SentenceEncoder:
    """`length` counts tokens with the two signs around them; what is longer is cut."""

    backbone: Backbone
    length: int
    pooling: Pooling
    halves: Halves | None = None
    pad: int = field(init=False)
    takes_types: bool = field(init=False)

    def __post_init__(self) -> None:
        tokenizer = self.backbone.tokenizer
        self.pad = tokenizer.pad_token_id or 0
        self.takes_types = "token_type_ids" in tokenizer.model_input_names
        self.length = min(self.length, self.backbone.length)

    @property
    def model(self) -> Any:
        return self.backbone.model

    @property
    def key(self) -> str:
        """Tells vectors of this encoder from those of others."""
        return f"{self.backbone.fingerprint()} {self.pooling} {self.length}"

    @property
    def width(self) -> int:
        return int(self.model.config.hidden_size)

    def windows(self, texts: Sequence[str]) -> tuple[list[Window], list[int]]:
        """And how many tokens of each were cut."""
        if not texts:
            return [], []
        tokenizer = self.backbone.tokenizer
        found = tokenizer(list(texts), add_special_tokens=False, return_attention_mask=False, verbose=False)
        room = self.length - 2
        made = [(tokenizer.cls_token_id, *ids[:room], tokenizer.sep_token_id) for ids in found["input_ids"]]
        windows = [Window(ids, (0,) * len(ids), range(len(ids))) for ids in made]
        return windows, [max(0, len(ids) - room) for ids in found["input_ids"]]

    def split(self, n_frozen: int) -> None:
        """From now on the lowest layers read each sentence once, and only the others learn."""
        self.halves = Halves.of(self.model, n_frozen)

    def remember(self, windows: Sequence[Window]) -> None:
        if self.halves is not None:
            self.halves.remember(windows, self.pad, self.takes_types)

    def vectors(self, windows: Sequence[Window]) -> Tensor:
        """A row for each, in their order; like lengths go through the backbone together."""
        order = sorted(range(len(windows)), key=lambda at: len(windows[at].ids))
        pieces = []
        for first, last in cuts([len(windows[at].ids) for at in order]):
            pack = make_pack([windows[at] for at in order[first:last]], self.pad)
            if self.halves is not None and all(window in self.halves.seen for window in pack.windows):
                states = self.halves.states(pack)
            else:
                states = self.model(**inputs_of(pack, self.takes_types)).last_hidden_state
            pieces.append(self._pool(states, pack.is_token))
        if not pieces:
            return torch.zeros((0, self.width))
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return torch.cat(pieces)[back]

    def _pool(self, states: Tensor, is_token: Tensor) -> Tensor:
        if self.pooling is Pooling.CLS:
            return states[:, 0]
        mask = is_token.unsqueeze(-1)
        return (states * mask).sum(dim=1) / mask.sum(dim=1)
