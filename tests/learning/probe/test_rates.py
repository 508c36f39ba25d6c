"""Rates and mean differences over posts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learning.probe.rates import mean_difference, rate_over_posts, wilson_interval
from tests.examples import examples


def test_wilson_gives_the_published_interval() -> None:
    """Newcombe 1998, Statistics in Medicine 17, 857-872, table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (hits, n), interval in published.items():
        assert wilson_interval(hits, n) == pytest.approx(interval, abs=5e-5)


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abcdef")), min_size=1, max_size=30))
def test_an_interval_holds_its_rate(rows: list[tuple[bool, str]]) -> None:
    hits, posts = [hit for hit, _ in rows], [post for _, post in rows]
    rate = rate_over_posts(hits, posts, resamples=200, seed=1)
    assert rate.value == pytest.approx(sum(hits) / len(hits))
    assert rate.low is not None and rate.high is not None and rate.value is not None
    assert 0 <= rate.low <= rate.value + 1e-9 and rate.value - 1e-9 <= rate.high <= 1
    assert (rate.n, rate.n_posts) == (len(rows), len(set(posts)))


def test_items_of_one_post_are_drawn_together() -> None:
    """Ten posts of twenty alike items say no more than ten items."""
    hits = [at < 5 for at in range(10)]
    alone = rate_over_posts(hits, [str(at) for at in range(10)], resamples=500, seed=3)
    many = rate_over_posts(
        [hit for hit in hits for _ in range(20)],
        [str(at) for at in range(10) for _ in range(20)],
        resamples=500,
        seed=3,
    )
    assert (alone.low, alone.high) == (many.low, many.high)


def test_there_is_no_rate_of_nothing() -> None:
    rate = rate_over_posts([], [], resamples=10, seed=1)
    assert (rate.value, rate.low, rate.high, rate.n) == (None, None, None, 0)


def test_a_mean_difference_is_that_of_numpy_and_the_same_values_differ_by_nothing() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.random(40).tolist(), rng.random(40).tolist()
    posts = [str(at // 2) for at in range(40)]
    found = mean_difference(first, second, posts, resamples=300, seed=2)
    assert found.value == pytest.approx(float(np.mean(first) - np.mean(second)))
    assert found.low is not None and found.high is not None and found.low < found.high
    same = mean_difference(first, first, posts, resamples=300, seed=2)
    assert (same.value, same.low, same.high, same.p) == (0.0, 0.0, 0.0, 1.0)
