"""Which prepared examples go through the network together: for training at random, for prediction by length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import torch

from ml_backend.encoder.preparing import Prepared

# Long texts have many windows: a batch ends before it takes this many times its size of them.
WINDOWS_PER_ITEM = 4
# Batches are sorted by length within stretches of so many, so that training still sees them mixed.
BATCHES_PER_STRETCH = 16


class Readable(Protocol):
    @property
    def n_tokens(self) -> int: ...
    @property
    def n_windows(self) -> int: ...


def batches(prepared: Sequence[Readable], order: Sequence[int], size: int) -> Iterator[list[int]]:
    """In the given order; a batch is full by items or by windows, and never empty."""
    batch: list[int] = []
    n_windows = 0
    for at in order:
        more = prepared[at].n_windows
        if batch and (len(batch) == size or n_windows + more > WINDOWS_PER_ITEM * size):
            yield batch
            batch, n_windows = [], 0
        batch.append(at)
        n_windows += more
    if batch:
        yield batch


def by_length(prepared: Sequence[Prepared]) -> list[int]:
    """For prediction: texts of like length together, which pads least."""
    return sorted(range(len(prepared)), key=lambda at: (prepared[at].n_tokens, prepared[at].example.item_id))


def shuffled_batches(prepared: Sequence[Readable], size: int, generator: torch.Generator) -> list[list[int]]:
    """For training: at random, with like lengths together within stretches, then the batches at random."""
    order = torch.randperm(len(prepared), generator=generator).tolist()
    stretch = size * BATCHES_PER_STRETCH
    found: list[list[int]] = []
    for start in range(0, len(order), stretch):
        near = sorted(order[start : start + stretch], key=lambda at: prepared[at].n_tokens)
        found += batches(prepared, near, size)
    return [found[at] for at in torch.randperm(len(found), generator=generator).tolist()]
