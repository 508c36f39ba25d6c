"""Cuts units into shards of like length, so that little is padded, and numbers these at random, so that the pace of
the first is that of the rest."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl

# What one process holds in memory at a time, however short or long the texts are
CHARS_PER_SHARD = 2_000_000
# Models that write their answers take seconds for each, and a kill should not cost an hour
UNITS_OF_SLOW_LEARNERS = 16
SLOW_LEARNERS = frozenset({"generative-lora", "few-shot"})


def units_per_shard(learner: str, usual: int) -> int:
    return min(UNITS_OF_SLOW_LEARNERS, usual) if learner in SLOW_LEARNERS else usual


def make_shards(
    units: pl.DataFrame, *, seed: int, with_context: bool, per_shard: int, most_chars: int = CHARS_PER_SHARD
) -> pl.DataFrame:
    """The units with the number of their `shard`, shard after shard; a shard has units of one part.

    `with_context`: whether what is read of a reply is as long as the reply and its post together.
    """
    length = pl.col("n_chars") + (pl.col("n_context") if with_context else 0)
    ordered = units.with_columns(length.alias("length")).sort("part", "length", "item_id")
    bounds: list[int] = []
    for _, rows in ordered.group_by("part", maintain_order=True):
        first = bounds[-1] if bounds else 0
        held = (rows["n_chars"].cast(pl.Int64) + rows["n_context"].cast(pl.Int64)).to_numpy()
        bounds += [first + end for end in _ends(held, per_shard, most_chars)]
    sizes = [end - start for start, end in pairwise([0, *bounds])]
    numbers = np.random.default_rng([seed, 1]).permutation(len(sizes))
    shards = pl.Series("shard", np.repeat(numbers, sizes), dtype=pl.Int64)
    return ordered.drop("length").with_columns(shards).sort("shard", maintain_order=True)


def _ends(chars: np.ndarray[tuple[int], np.dtype[np.int64]], per_shard: int, most_chars: int) -> list[int]:
    """Where each shard ends; one unit may be larger than all that a shard should hold.

    >>> _ends(np.array([1, 1, 1, 9, 20]), 2, 10)
    [2, 4, 5]
    """
    ends, first, held = [], 0, 0
    for at, size in enumerate(chars.tolist()):
        if at > first and (at - first == per_shard or held + size > most_chars):
            ends.append(at)
            first, held = at, 0
        held += size
    return [*ends, len(chars)]
