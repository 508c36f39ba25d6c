"""From the tokens of a batch to its words or sentences: what is said of a unit is the mean over its tokens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from ml_backend.encoder.preparing import Prepared, Units

# The logit of a unit that the tokenizer has no token for, such as a sign that it does not know.
NO_TOKEN = -10.0


class UnitsOfBatch:
    """Questions on the same words share them, so that where these are is worked out once for all of them."""

    def __init__(self, batch: Sequence[Prepared]) -> None:
        self._batch = batch
        self._found: dict[int, tuple[Tensor, Tensor]] = {}

    def logits(self, code: str, marks: Tensor) -> Tensor:
        """Of each unit, from those of the tokens that begin in it; a unit without any is far from being marked."""
        of_token, counts = self._of_tokens(code, marks.shape[1])
        sums = torch.zeros(counts.shape, dtype=marks.dtype).scatter_add(1, of_token, marks)
        return (sums / counts.clamp(min=1)).masked_fill(counts == 0, NO_TOKEN)[:, :-1]

    def _of_tokens(self, code: str, n_tokens: int) -> tuple[Tensor, Tensor]:
        units = [each.units[code] for each in self._batch]
        key = id(units[0])
        if key not in self._found:
            self._found[key] = _of_tokens(units, n_tokens)
        return self._found[key]


def _of_tokens(units: Sequence[Units], n_tokens: int) -> tuple[Tensor, Tensor]:
    """The unit of each token, the one after the last for none, and how many tokens each has."""
    n_units = max(1, *(len(each.places) for each in units))
    found = np.full((len(units), n_tokens), n_units)
    for row, each in enumerate(units):
        found[row, : len(each.of_token)] = np.where(each.of_token < 0, n_units, each.of_token)
    of_token = torch.from_numpy(found)
    counts = torch.zeros(len(units), n_units + 1).scatter_add_(1, of_token, torch.ones(of_token.shape))
    return of_token, counts
