"""Everybody gets a fair share, by chance, and the same seed deals the same on every machine."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.assignment import (
    ListedTwice,
    NegativeNumber,
    NobodyToDealTo,
    TooFewItems,
    choose_items,
    deal_onto,
    deal_shares,
    deal_to_all,
    falls_within,
)
from corpus.sampling.errors import InvalidSeed

names = st.text("abcdefé😀0123", min_size=1, max_size=4)
some_items = st.lists(names, unique=True, max_size=25)
people = st.lists(names, unique=True, min_size=1, max_size=6)
seeds = st.integers(0, 2**63 - 1)

ITEMS = [f"item-{number}" for number in range(7)]
TEAM = ["amal", "bea", "chen"]


def test_these_results_never_change() -> None:
    assert choose_items(ITEMS, 3, seed=2026) == ("item-1", "item-4", "item-2")
    assert deal_shares(ITEMS, TEAM, seed=2026) == {
        "amal": ("item-5", "item-6"),
        "bea": ("item-4", "item-0"),
        "chen": ("item-2", "item-3", "item-1"),
    }
    assert deal_to_all(ITEMS[:4], TEAM, seed=2026) == {
        "amal": ("item-3", "item-1", "item-2", "item-0"),
        "bea": ("item-1", "item-2", "item-0", "item-3"),
        "chen": ("item-1", "item-0", "item-2", "item-3"),
    }
    assert deal_onto(ITEMS, {"amal": 4, "bea": 0, "chen": 2}, seed=2026) == {
        "amal": (),
        "bea": ("item-2", "item-4", "item-3", "item-6"),
        "chen": ("item-5", "item-0", "item-1"),
    }


@given(some_items, people, seeds)
def test_shares_are_a_partition_with_sizes_at_most_one_apart(
    items: list[str], annotators: list[str], seed: int
) -> None:
    shares = deal_shares(items, annotators, seed)
    assert list(shares) == annotators
    assert sorted(item for share in shares.values() for item in share) == sorted(items)
    sizes = [len(share) for share in shares.values()]
    assert max(sizes) - min(sizes) <= 1


@given(some_items, people, seeds)
def test_everybody_gets_all_items_once(items: list[str], annotators: list[str], seed: int) -> None:
    dealt = deal_to_all(items, annotators, seed)
    assert list(dealt) == annotators
    assert all(sorted(share) == sorted(items) for share in dealt.values())


@given(some_items, st.dictionaries(names, st.integers(0, 30), min_size=1, max_size=6), seeds)
def test_reassigning_evens_out_the_loads(items: list[str], loads: dict[str, int], seed: int) -> None:
    dealt = deal_onto(items, loads, seed)
    assert sorted(item for share in dealt.values() for item in share) == sorted(items)
    after = {name: loads[name] + len(share) for name, share in dealt.items()}
    assert after.keys() == loads.keys()
    # Nobody who was given something has over one more than anybody else.
    assert all(after[name] <= min(after.values()) + 1 for name, share in dealt.items() if share)


@given(some_items, people, seeds, st.randoms(use_true_random=False))
def test_the_order_of_the_lists_does_not_matter(
    items: list[str], annotators: list[str], seed: int, shuffler: Random
) -> None:
    items_again, annotators_again = items.copy(), annotators.copy()
    shuffler.shuffle(items_again)
    shuffler.shuffle(annotators_again)
    assert choose_items(items, len(items), seed) == choose_items(items_again, len(items), seed)
    assert deal_shares(items, annotators, seed) == deal_shares(items_again, annotators_again, seed)
    assert deal_to_all(items, annotators, seed) == deal_to_all(items_again, annotators_again, seed)


@given(some_items, st.data(), seeds)
def test_a_larger_choice_keeps_the_smaller_one(items: list[str], data: st.DataObject, seed: int) -> None:
    n = data.draw(st.integers(0, len(items)))
    chosen = choose_items(items, n, seed)
    assert len(set(chosen)) == len(chosen) == n
    assert set(chosen) <= set(items)
    assert choose_items(items, len(items), seed)[:n] == chosen


def test_chance_decides_who_gets_one_more() -> None:
    sizes = [len(deal_shares(ITEMS, TEAM, seed)["amal"]) for seed in range(300)]
    assert set(sizes) == {2, 3}
    assert 70 <= sizes.count(3) <= 130


def test_annotators_work_in_different_orders() -> None:
    dealt = deal_to_all(ITEMS, TEAM, seed=1)
    assert len(set(dealt.values())) == len(TEAM)


def test_each_item_is_as_likely_as_any_other() -> None:
    times = [choose_items(ITEMS, 1, seed)[0] for seed in range(700)]
    assert all(65 <= times.count(item) <= 140 for item in ITEMS)


def test_what_cannot_be_dealt_is_refused() -> None:
    with pytest.raises(TooFewItems, match="7 items, fewer than the 8 asked for"):
        choose_items(ITEMS, 8, seed=1)
    with pytest.raises(NegativeNumber, match="ask for 0 or more"):
        choose_items(ITEMS, -1, seed=1)
    with pytest.raises(ListedTwice, match="'amal' is listed twice"):
        deal_shares(ITEMS, ["amal", "amal"], seed=1)
    with pytest.raises(ListedTwice, match="'item-0' is listed twice"):
        deal_to_all([*ITEMS, "item-0"], TEAM, seed=1)
    with pytest.raises(ListedTwice, match="'amal' is listed twice"):
        deal_to_all(ITEMS, ["amal", "amal"], seed=1)
    with pytest.raises(InvalidSeed, match="whole number"):
        deal_shares(ITEMS, TEAM, seed=-1)


def test_there_must_be_somebody_to_deal_to() -> None:
    with pytest.raises(NobodyToDealTo, match="at least one annotator"):
        deal_shares(ITEMS, [], seed=1)
    with pytest.raises(NobodyToDealTo, match="at least one annotator"):
        deal_to_all(ITEMS, [], seed=1)
    with pytest.raises(NobodyToDealTo, match="at least one annotator"):
        deal_onto(ITEMS, {}, seed=1)


@given(st.sets(names, max_size=25), st.floats(0, 1), st.floats(0, 1), seeds)
def test_a_larger_share_only_adds(items: set[str], one: float, other: float, seed: int) -> None:
    small, large = (
        {item for item in items if falls_within(item, share, seed, "second")}
        for share in sorted((one, other))
    )
    assert small <= large
    assert all(falls_within(item, 1.0, seed, "second") for item in items)
    assert not any(falls_within(item, 0.0, seed, "second") for item in items)


def test_about_as_many_fall_within_as_the_share_says() -> None:
    taken = sum(falls_within(f"item-{number}", 0.3, 7, "second") for number in range(10_000))
    assert 2850 < taken < 3150
