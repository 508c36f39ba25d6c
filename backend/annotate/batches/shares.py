"""The rules by which each kind of batch deals its items: pure, fair, and repeated by the seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotation.assignment import choose_items, deal_shares, deal_to_all
from backend.annotate.batches.errors import TooFewItems

Shares = dict[str, tuple[str, ...]]


def same_to_all(pool: Sequence[str], annotators: Sequence[str], n: int | None, seed: int) -> Shares:
    """n items (or all), the same for everybody, each in an order of their own."""
    return deal_to_all(_chosen(pool, n, seed), annotators, seed)


def disjoint_shares(pool: Sequence[str], annotators: Sequence[str], n: int | None, seed: int) -> Shares:
    """n items for each, or all of the pool in shares whose sizes differ by at most one."""
    chosen = _chosen(pool, None if n is None else n * len(annotators), seed)
    if len(chosen) < len(annotators):
        raise TooFewItems(len(chosen), len(annotators))
    return deal_shares(chosen, annotators, seed)


def own_again(pools: Mapping[str, Sequence[str]], n: int, seed: int) -> Shares:
    """n items for each from a pool of their own, in an order that owes nothing to the first time."""
    dealt: Shares = {}
    for annotator, pool in pools.items():
        dealt |= deal_to_all(choose_items(pool, n, seed), [annotator], seed)
    return dealt


def _chosen(pool: Sequence[str], n: int | None, seed: int) -> tuple[str, ...]:
    wanted = len(pool) if n is None else n
    if len(pool) < max(wanted, 1):
        raise TooFewItems(len(pool), max(wanted, 1))
    return choose_items(pool, wanted, seed)
