"""Simulation: over many seeds, units come up as often as their stated probabilities say."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from statistics import fmean, stdev

import polars as pl
import pytest
from scipy import stats

from corpus.sampling.designs import Design, PpsPosts, UniformPairs, WholePosts
from corpus.sampling.draw import draw_sample
from corpus.sampling.frame import build_frame
from corpus.sampling.sample import DrawnItem, Sample

pytestmark = pytest.mark.slow

Unit = tuple[str, str | None]
Probabilities = dict[Unit, Fraction]
DRAWS = 2_000
N_REPLIES = {"big": 9, "mid": 3, "two": 2, "one": 1, "uno": 1, "nil": 0, "nul": 0, "nix": 0}
PAIRS = sum(N_REPLIES.values())
FRAME = build_frame(
    pl.LazyFrame(
        {"community": ["c"] * len(N_REPLIES), "post_id": list(N_REPLIES), "n_replies": N_REPLIES.values()}
    ),
    pl.LazyFrame(
        {
            "community": ["c"] * PAIRS,
            "post_id": [post for post, n in N_REPLIES.items() for _ in range(n)],
            "reply_id": [f"{post}{j}" for post, n in N_REPLIES.items() for j in range(n)],
        }
    ),
)
ITEMS: list[Unit] = [
    (post, f"{post}{j}" if n else None) for post, n in N_REPLIES.items() for j in range(max(n, 1))
]
POSTS: list[Unit] = [(post, None) for post in N_REPLIES]


def disagreements(times: Mapping[Unit, int], probabilities: Probabilities, draws: int) -> list[Unit]:
    """Units whose count an exact binomial test rejects at 0.1% for all units together (Bonferroni)."""
    level = 0.001 / len(probabilities)
    return [
        unit
        for unit, probability in probabilities.items()
        if stats.binomtest(times.get(unit, 0), draws, float(probability)).pvalue < level
    ]


@cache
def samples(design: Design) -> tuple[Sample, ...]:
    return tuple(draw_sample(FRAME, design, seed=seed) for seed in range(DRAWS))


def count(units_of: Callable[[Sample], Iterable[Unit]], drawn: Iterable[Sample]) -> Counter[Unit]:
    return Counter(unit for sample in drawn for unit in set(units_of(sample)))


def items_in(sample: Sample) -> list[Unit]:
    return [(item.post_id, item.reply_id) for item in sample.items]


def posts_in(sample: Sample) -> list[Unit]:
    return [(item.post_id, None) for item in sample.items]


# Worked out by hand and not by the code under test. Sizes 10 4 3 2 2 1 1 1, n = 4: "big" is certain, as
# 4 x 10 >= 24, and the other 3 come from a total size of 14.
PPS = PpsPosts(n=4)
PPS_POSTS: Probabilities = {
    (post, None): Fraction(1) if post == "big" else Fraction(3 * (n + 1), 14) for post, n in N_REPLIES.items()
}
PPS_ITEMS: Probabilities = {
    (post, reply): PPS_POSTS[post, None] / max(N_REPLIES[post], 1) for post, reply in ITEMS
}
UNIFORM = UniformPairs(n=5)
UNIFORM_ITEMS: Probabilities = {unit: Fraction(5 if unit[1] else 0, PAIRS) for unit in ITEMS}
UNIFORM_POSTS: Probabilities = {
    (post, None): 1 - Fraction(comb(PAIRS - n, 5), comb(PAIRS, 5)) for post, n in N_REPLIES.items()
}
WHOLE = WholePosts(n=3)
WHOLE_ITEMS: Probabilities = dict.fromkeys(ITEMS, Fraction(3, 8))
WHOLE_POSTS: Probabilities = dict.fromkeys(POSTS, Fraction(3, 8))

CASES: list[tuple[Design, Probabilities, Probabilities]] = [
    (PPS, PPS_POSTS, PPS_ITEMS),
    (UNIFORM, UNIFORM_POSTS, UNIFORM_ITEMS),
    (WHOLE, WHOLE_POSTS, WHOLE_ITEMS),
]
each_design = pytest.mark.parametrize(
    ("design", "posts", "items"), CASES, ids=[case[0].kind for case in CASES]
)


@each_design
def test_stated_probabilities_are_those_of_the_design(
    design: Design, posts: Probabilities, items: Probabilities
) -> None:
    stated = {item for sample in samples(design) for item in sample.items}
    assert {(item.post_id, item.reply_id) for item in stated} == {unit for unit, p in items.items() if p}
    for item in stated:
        assert item.post_probability == float(posts[item.post_id, None])
        assert item.inclusion_probability == float(items[item.post_id, item.reply_id])


@each_design
def test_realised_frequencies_match(design: Design, posts: Probabilities, items: Probabilities) -> None:
    assert disagreements(count(posts_in, samples(design)), posts, DRAWS) == []
    assert disagreements(count(items_in, samples(design)), items, DRAWS) == []


def test_the_checker_finds_wrong_probabilities() -> None:
    """Four plausible mistakes, each of which the test above would report."""
    posts, items = count(posts_in, samples(PPS)), count(items_in, samples(PPS))
    no_certain_units: Probabilities = {
        (post, None): min(Fraction(4 * (n + 1), 24), Fraction(1)) for post, n in N_REPLIES.items()
    }
    equal = dict.fromkeys(POSTS, Fraction(4, 8))
    reply_forgotten = {unit: PPS_POSTS[unit[0], None] for unit in ITEMS}
    one_reply_too_many = {unit: PPS_POSTS[unit[0], None] / (N_REPLIES[unit[0]] + 1) for unit in ITEMS}
    assert disagreements(posts, no_certain_units, DRAWS)
    assert disagreements(posts, equal, DRAWS)
    assert disagreements(items, reply_forgotten, DRAWS)
    assert disagreements(items, one_reply_too_many, DRAWS)


def test_the_checker_finds_a_certain_unit_that_was_missed_once() -> None:
    times = count(posts_in, samples(PPS)) - Counter({("big", None): 1})
    assert disagreements(times, PPS_POSTS, DRAWS) == [("big", None)]


@each_design
def test_probabilities_sum_to_the_expected_number_exactly(
    design: Design, posts: Probabilities, items: Probabilities
) -> None:
    whole = isinstance(design, WholePosts)
    assert sum(items.values()) == (Fraction(3 * len(ITEMS), 8) if whole else design.n)
    assert isinstance(design, UniformPairs) or sum(posts.values()) == design.n


def value(unit: Unit) -> float:
    return 3.0 + 2 * len(unit[1] or "") + sum(map(ord, "".join(part or "" for part in unit))) % 17


def assert_unbiased(estimates: list[float], truth: float) -> None:
    assert abs(fmean(estimates) - truth) <= 4 * stdev(estimates) / len(estimates) ** 0.5


def item_total(items: Iterable[DrawnItem]) -> float:
    return sum(value((item.post_id, item.reply_id)) / item.inclusion_probability for item in items)


def post_total(items: Iterable[DrawnItem]) -> float:
    posts = {item.post_id: item.post_probability for item in items}
    return sum(value((post, None)) / probability for post, probability in posts.items())


@each_design
def test_horvitz_thompson_totals_are_unbiased(
    design: Design, posts: Probabilities, items: Probabilities
) -> None:
    true_items = sum(value(unit) for unit, probability in items.items() if probability)
    true_posts = sum(value(unit) for unit, probability in posts.items() if probability)
    assert_unbiased([item_total(sample.items) for sample in samples(design)], true_items)
    assert_unbiased([post_total(sample.items) for sample in samples(design)], true_posts)


def test_a_wrong_weight_is_biased() -> None:
    estimates = [sum(value((i.post_id, None)) * 2 for i in sample.items) for sample in samples(PPS)]
    with pytest.raises(AssertionError):
        assert_unbiased(estimates, sum(map(value, POSTS)))


def test_first_and_second_sample_together_are_unbiased_even_with_one_seed() -> None:
    estimates = []
    for first in samples(PPS)[:800]:
        second = draw_sample(FRAME, PpsPosts(n=2, exclude=first.posts), seed=first.seed)
        known = sum(value((post, None)) for _, post in first.posts)
        estimates.append(known + post_total(second.items))
    assert_unbiased(estimates, sum(map(value, POSTS)))


def test_replies_are_drawn_independently_of_the_order_of_posts() -> None:
    """Which reply of "mid" comes up does not depend on whether "two" was drawn as well."""
    table: Counter[tuple[bool, str]] = Counter()
    for sample in samples(PPS):
        replies = {item.post_id: item.reply_id for item in sample.items}
        if reply := replies.get("mid"):
            table["two" in replies, reply] += 1
    rows = [[table[together, f"mid{j}"] for j in range(3)] for together in (False, True)]
    assert stats.chi2_contingency(rows).pvalue > 1e-4


def test_any_two_posts_can_be_drawn_together() -> None:
    """Along a fixed order neighbours would exclude each other, and no variance could be estimated."""
    together = {pair for sample in samples(PPS) for pair in combinations(sorted(set(posts_in(sample))), 2)}
    assert together == set(combinations(sorted(POSTS), 2))
