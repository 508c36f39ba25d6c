"""Windows put together into tensors by their length, whatever texts they are of, so that little is padded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from ml_backend.encoder.plan import View
from ml_backend.encoder.windows import TextWindows, Window

# So many windows go through the encoder at once, whatever a batch holds.
WINDOWS_AT_ONCE = 128
# What another pass through the encoder costs, in tokens that could have been padded instead.
PASS_COSTS = 64


@dataclass(frozen=True, slots=True)
class Pack:
    """Windows of like length, a row each."""

    windows: tuple[Window, ...]
    ids: Tensor
    types: Tensor
    is_token: Tensor


@dataclass(frozen=True, slots=True)
class Kept:
    """For each text which of all positions, laid end to end pack after pack, are its own, and which are padding."""

    places: Tensor
    is_kept: Tensor


@dataclass(frozen=True, slots=True)
class Packed:
    packs: tuple[Pack, ...]
    kept: Mapping[View, Kept]


def pack_windows(texts: Mapping[View, Sequence[TextWindows]], pad: int) -> Packed:
    windows = [window for several in texts.values() for text in several for window in text.windows]
    order = sorted(range(len(windows)), key=lambda at: len(windows[at].ids))
    starts = np.zeros(len(windows), dtype=np.int64)
    packs: list[Pack] = []
    at = 0
    for first, last in cuts([len(windows[place].ids) for place in order]):
        places = order[first:last]
        pack = make_pack([windows[place] for place in places], pad)
        width = pack.ids.shape[1]
        starts[places] = at + width * np.arange(len(places))
        at += width * len(places)
        packs.append(pack)
    found = iter(starts.tolist())
    return Packed(tuple(packs), {view: _keep(several, found) for view, several in texts.items()})


def cuts(lengths: Sequence[int]) -> list[tuple[int, int]]:
    """Where to cut ascending lengths so that padding and passes together cost least, by dynamic programming.

    >>> cuts([10, 11, 12, 200, 210])
    [(0, 3), (3, 5)]
    >>> cuts([5])
    [(0, 1)]
    """
    n = len(lengths)
    cost, before = np.zeros(n + 1), np.zeros(n + 1, dtype=np.int64)
    for end in range(1, n + 1):
        first = max(0, end - WINDOWS_AT_ONCE)
        starts = np.arange(first, end)
        found = cost[first:end] + (end - starts) * lengths[end - 1] + PASS_COSTS
        best = int(found.argmin())
        cost[end], before[end] = found[best], first + best
    places = [n]
    while places[-1]:
        places.append(int(before[places[-1]]))
    places.reverse()
    return list(pairwise(places))


def make_pack(windows: Sequence[Window], pad: int) -> Pack:
    shape = (len(windows), max(len(window.ids) for window in windows))
    ids, types = np.full(shape, pad, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    is_token = np.zeros(shape, dtype=np.bool_)
    for row, window in enumerate(windows):
        length = len(window.ids)
        ids[row, :length], types[row, :length], is_token[row, :length] = window.ids, window.types, True
    return Pack(tuple(windows), *(torch.from_numpy(each) for each in (ids, types, is_token)))


def _keep(texts: Sequence[TextWindows], starts: Iterator[int]) -> Kept:
    rows = [
        np.concatenate(
            [next(starts) + np.arange(window.kept.start, window.kept.stop) for window in text.windows]
        )
        for text in texts
    ]
    shape = (len(rows), max(len(row) for row in rows))
    places, is_kept = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.bool_)
    for at, row in enumerate(rows):
        places[at, : len(row)], is_kept[at, : len(row)] = row, True
    return Kept(torch.from_numpy(places), torch.from_numpy(is_kept))
