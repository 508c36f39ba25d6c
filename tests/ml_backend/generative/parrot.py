"""A model that says what it is told to: so that what is made of answers can be seen, whatever they are."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from ml_backend.encoder.backbone import Backbone
from tests.ml_backend.tiny_instruct import ASSISTANT

SURE = 20.0


class Parrot:
    """After the sign that it is its turn, it is sure of each token of its lines, one line after the other."""

    device = torch.device("cpu")
    generation_config = SimpleNamespace(eos_token_id=None)

    def __init__(self, tokenizer: Any, pieces: Sequence[str]) -> None:
        self._turn = tokenizer.convert_tokens_to_ids(ASSISTANT)
        self._n_tokens = len(tokenizer)
        said = [tokenizer(piece, add_special_tokens=False)["input_ids"] for piece in pieces]
        self._script = [*(token for piece in said for token in piece), tokenizer.eos_token_id]

    def __call__(
        self, *, input_ids: Tensor, past_key_values: Any, use_cache: bool, logits_to_keep: int
    ) -> SimpleNamespace:
        """What was read is kept in the cache, as any model keeps it, so that it can be taken back."""
        kept = input_ids[:, None, :, None].float()
        ids = past_key_values.update(kept, kept, 0)[0][0, 0, :, 0].long().tolist()
        rows = [self._next(ids[: len(ids) - back]) for back in range(logits_to_keep)][::-1]
        return SimpleNamespace(logits=torch.stack(rows)[None])

    def _next(self, ids: list[int]) -> Tensor:
        logits = torch.zeros(self._n_tokens)
        if self._turn in ids:
            # One token after the sign is the line's end.
            said = ids[len(ids) - ids[::-1].index(self._turn) + 1 :]
            if said == self._script[: len(said)] and len(said) < len(self._script):
                logits[self._script[len(said)]] = SURE
        return logits


def parrot(backbone: Backbone, *pieces: str) -> Backbone:
    return Backbone("parrot", Parrot(backbone.tokenizer, pieces), backbone.tokenizer, backbone.length)
