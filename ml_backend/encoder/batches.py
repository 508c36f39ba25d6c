"""Prepared examples put together into tensors, padded no further than the longest among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from ml_backend.encoder.preparing import Prepared
from ml_backend.encoder.windows import TextWindows

# Long texts have many windows: a batch ends before it takes this many times its size of them.
WINDOWS_PER_ITEM = 4
# Batches are sorted by length within stretches of so many, so that training still sees them mixed.
BATCHES_PER_STRETCH = 16


@dataclass(frozen=True, slots=True)
class ViewTensors:
    """Windows as rows; `kept` says for each text which of all positions, laid end to end, are its own."""

    ids: Tensor
    types: Tensor
    is_token: Tensor
    kept: Tensor
    is_kept: Tensor


def view_tensors(texts: Sequence[TextWindows], pad: int) -> ViewTensors:
    windows = [window for text in texts for window in text.windows]
    width = max(len(window.ids) for window in windows)
    ids = torch.full((len(windows), width), pad)
    types = torch.zeros_like(ids)
    is_token = torch.zeros_like(ids, dtype=torch.bool)
    for row, window in enumerate(windows):
        ids[row, : len(window.ids)] = torch.tensor(window.ids)
        types[row, : len(window.ids)] = torch.tensor(window.types)
        is_token[row, : len(window.ids)] = True
    kept, is_kept = _kept(texts, width)
    return ViewTensors(ids, types, is_token, kept, is_kept)


def _kept(texts: Sequence[TextWindows], width: int) -> tuple[Tensor, Tensor]:
    rows: list[list[int]] = []
    at = 0
    for text in texts:
        rows.append([])
        for window in text.windows:
            rows[-1] += [at * width + position for position in window.kept]
            at += 1
    longest = max(len(row) for row in rows)
    kept = torch.zeros((len(rows), longest), dtype=torch.long)
    is_kept = torch.zeros((len(rows), longest), dtype=torch.bool)
    for place, row in enumerate(rows):
        kept[place, : len(row)] = torch.tensor(row)
        is_kept[place, : len(row)] = True
    return kept, is_kept


def batches(prepared: Sequence[Prepared], order: Sequence[int], size: int) -> Iterator[list[int]]:
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


def shuffled_batches(prepared: Sequence[Prepared], size: int, generator: torch.Generator) -> list[list[int]]:
    """For training: at random, with like lengths together within stretches, then the batches at random."""
    order = torch.randperm(len(prepared), generator=generator).tolist()
    stretch = size * BATCHES_PER_STRETCH
    found: list[list[int]] = []
    for start in range(0, len(order), stretch):
        near = sorted(order[start : start + stretch], key=lambda at: prepared[at].n_tokens)
        found += batches(prepared, near, size)
    return [found[at] for at in torch.randperm(len(found), generator=generator).tolist()]
