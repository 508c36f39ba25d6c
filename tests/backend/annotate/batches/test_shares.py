"""Fair, disjoint where it must be, the same where it should be, and repeated by the seed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.annotate.batches.errors import TooFewItems
from backend.annotate.batches.planning import disjoint_shares, own_again, same_to_all

POOLS = st.integers(0, 60).map(lambda size: [f"item-{number}" for number in range(size)])
PEOPLE = st.integers(1, 6).map(lambda size: [f"annotator-{number}" for number in range(size)])
SEEDS = st.integers(0, 2**63 - 1)


@given(POOLS, PEOPLE, SEEDS)
def test_all_that_is_left_is_dealt_once_and_evenly(pool: list[str], people: list[str], seed: int) -> None:
    if len(pool) < len(people):
        with pytest.raises(TooFewItems):
            disjoint_shares(pool, people, None, seed)
        return
    shares = disjoint_shares(pool, people, None, seed)
    assert sorted(item for share in shares.values() for item in share) == sorted(pool)
    sizes = [len(share) for share in shares.values()]
    assert set(shares) == set(people)
    assert max(sizes) - min(sizes) <= 1


@given(POOLS, PEOPLE, SEEDS, st.integers(1, 20))
def test_shares_of_n_are_disjoint_and_of_n(pool: list[str], people: list[str], seed: int, n: int) -> None:
    if n * len(people) > len(pool):
        with pytest.raises(TooFewItems, match=str(len(pool)) if pool else "No item"):
            disjoint_shares(pool, people, n, seed)
        return
    shares = disjoint_shares(pool, people, n, seed)
    dealt = [item for share in shares.values() for item in share]
    assert {len(share) for share in shares.values()} == {n}
    assert len(dealt) == len(set(dealt))
    assert set(dealt) <= set(pool)


@given(POOLS, PEOPLE, SEEDS, st.integers(1, 20))
def test_everybody_gets_the_same_n(pool: list[str], people: list[str], seed: int, n: int) -> None:
    if n > len(pool):
        with pytest.raises(TooFewItems):
            same_to_all(pool, people, n, seed)
        return
    shares = same_to_all(pool, people, n, seed)
    assert len({frozenset(share) for share in shares.values()}) == 1
    assert {len(share) for share in shares.values()} == {n}
    assert set(shares[people[0]]) <= set(pool)


@given(POOLS, PEOPLE, SEEDS)
def test_the_order_of_the_lists_does_not_matter(pool: list[str], people: list[str], seed: int) -> None:
    if len(pool) >= len(people):
        backwards = disjoint_shares(pool[::-1], people[::-1], None, seed)
        assert disjoint_shares(pool, people, None, seed) == backwards
        assert same_to_all(pool, people, None, seed) == same_to_all(pool[::-1], people[::-1], None, seed)


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.sets(st.text(min_size=1), min_size=4), min_size=1), SEEDS
)
def test_a_recheck_takes_from_each_own_pool(pools: dict[str, set[str]], seed: int) -> None:
    lists = {name: sorted(pool) for name, pool in pools.items()}
    shares = own_again(lists, 4, seed)
    assert set(shares) == set(pools)
    for name, share in shares.items():
        assert len(share) == len(set(share)) == 4
        assert set(share) <= pools[name]
    assert shares == own_again(lists, 4, seed)


def test_seeds_deal_differently() -> None:
    pool, people = [f"item-{number}" for number in range(40)], ["amal", "bea"]
    assert len({str(disjoint_shares(pool, people, 10, seed)) for seed in range(5)}) == 5
    assert same_to_all(pool, people, 10, 1) != same_to_all(pool, people, 10, 2)


def test_each_has_an_order_of_their_own() -> None:
    shares = same_to_all([f"item-{number}" for number in range(20)], ["amal", "bea"], 20, 3)
    assert shares["amal"] != shares["bea"]
