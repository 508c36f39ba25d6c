"""What a model has read so far, which can be taken back: instructions are read once for all items of a code."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache

Ids = Sequence[int]


@dataclass(frozen=True, slots=True)
class Here:
    """How far was read, and what the model thinks comes next."""

    length: int
    logits: Tensor


class Reading:
    """One text at a time and no padding, so that the company of other items changes no answer."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._cache = DynamicCache()
        self.here = Here(0, torch.zeros(0))

    def read(self, ids: Ids) -> None:
        if ids:
            self._forward(ids, keep=1)

    def back_to(self, place: Here) -> None:
        if place.length < self.here.length:
            self._cache.crop(place.length - self.here.length)
        self.here = place

    def likelihood(self, ids: Ids) -> float:
        """The logarithm of the probability that this comes next, after all that was read; it is not read itself."""
        before = self.here
        logits = torch.cat([before.logits[None], self._forward(ids, keep=len(ids))[:-1]])
        self.back_to(before)
        return float(_of(logits, ids).sum())

    def go_on(
        self, *, most: int, ends: frozenset[int], is_whole: Callable[[Ids], bool]
    ) -> tuple[list[int], float]:
        """The likeliest token, one after the other, and how sure the model was of them on (geometric) average."""
        said: list[int] = []
        total = 0.0
        while len(said) < most:
            token = int(self.here.logits.argmax())
            total += float(_of(self.here.logits[None], [token])[0])
            if token in ends:
                break
            said.append(token)
            if is_whole(said):
                break
            self.read([token])
        return said, math.exp(total / max(1, len(said)))

    def _forward(self, ids: Ids, *, keep: int) -> Tensor:
        """The logits after each of the last tokens."""
        given = torch.tensor([list(ids)], device=self._model.device)
        with torch.inference_mode():
            found = self._model(
                input_ids=given, past_key_values=self._cache, use_cache=True, logits_to_keep=keep
            )
        logits: Tensor = found.logits[0].float()
        self.here = Here(self.here.length + len(ids), logits[-1])
        return logits


def _of(logits: Tensor, ids: Ids) -> Tensor:
    """The log-probabilities of these tokens, each by the logits before it."""
    wanted = torch.tensor(list(ids), device=logits.device)
    return logits.log_softmax(dim=-1).gather(1, wanted[:, None])[:, 0]
