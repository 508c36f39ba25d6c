"""The split: whole posts, asked-for sizes, rare themes everywhere, and nothing that depends on the order of rows."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.release.rows import SplitPart
from annotation.release.split import InvalidRatio, Post, read_ratio, split_posts
from corpus.sampling.errors import InvalidSeed

CODES = ["a", "b", "c", "d"]
PINNED = ["p10", "p12", "p15", "p16", "p26", "p4"]
Posts = dict[Post, frozenset[str]]


@st.composite
def posts_with_codes(draw: st.DrawFn, *, smallest: int = 0) -> Posts:
    n = draw(st.integers(smallest, 80))
    codes = st.frozensets(st.sampled_from(CODES))
    return {("reddit", "lane", f"p{number}"): draw(codes) for number in range(n)}


ratios = st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)).filter(
    lambda ratio: sum(ratio) > 0
)
seeds = st.integers(0, 2**63 - 1)


@given(posts_with_codes(), ratios, seeds)
def test_every_post_is_in_one_part_and_sizes_are_as_asked(
    posts: Posts, ratio: tuple[int, int, int], seed: int
) -> None:
    parts = split_posts(posts, ratio, seed)
    assert parts.keys() == posts.keys()
    sizes = Counter(parts.values())
    for part, share in zip(SplitPart, ratio, strict=True):
        assert abs(sizes[part] - len(posts) * share / sum(ratio)) < 1


@given(posts_with_codes(), seeds, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(posts: Posts, seed: int, random: object) -> None:
    rows = list(posts.items())
    random.shuffle(rows)  # type: ignore[attr-defined]
    assert split_posts(dict(rows), (6, 2, 2), seed) == split_posts(posts, (6, 2, 2), seed)


@given(posts_with_codes(smallest=20), seeds)
def test_a_theme_found_in_three_posts_is_in_every_part(posts: Posts, seed: int) -> None:
    """With twenty posts, the smallest parts have room for one post of each of the four themes."""
    parts = split_posts(posts, (6, 2, 2), seed)
    for code in CODES:
        found = [parts[post] for post, codes in posts.items() if code in codes]
        if len(found) >= 3:
            assert set(found) == set(SplitPart)


def _n_gaps(parts: dict[Post, SplitPart], posts: Posts) -> int:
    """How many parts lack a theme that is found in at least three posts."""
    totals = Counter(code for codes in posts.values() for code in codes)
    held = {(code, parts[post]) for post, codes in posts.items() for code in codes}
    used = set(parts.values())
    return sum((code, part) not in held for code, n in totals.items() if n >= 3 for part in used)


def _fewest_gaps(parts: dict[Post, SplitPart], posts: Posts) -> int:
    """Over all ways to deal the posts into parts of the same sizes."""
    sizes = Counter(parts.values())
    fewest = len(posts) * len(SplitPart)
    for validation in combinations(posts, sizes[SplitPart.VALIDATION]):
        rest = [post for post in posts if post not in validation]
        for test in combinations(rest, sizes[SplitPart.TEST]):
            dealt = dict.fromkeys(posts, SplitPart.TRAIN) | dict.fromkeys(validation, SplitPart.VALIDATION)
            fewest = min(fewest, _n_gaps(dealt | dict.fromkeys(test, SplitPart.TEST), posts))
    return fewest


def test_hardly_a_gap_is_left_that_could_be_closed() -> None:
    """Held against all possible splits of a few posts with many themes, the hardest ones."""
    chance = Random(5)
    n_worse = 0
    for seed in range(80):
        codes = [f"c{number}" for number in range(chance.randint(3, 13))]
        posts: Posts = {
            ("reddit", "lane", f"p{number}"): frozenset(code for code in codes if chance.random() < 0.35)
            for number in range(chance.randint(6, 9))
        }
        parts = split_posts(posts, (6, 2, 2), seed)
        n_worse += _n_gaps(parts, posts) > _fewest_gaps(parts, posts)
    assert n_worse <= 1


@given(posts_with_codes(smallest=60), seeds)
def test_themes_are_spread_as_the_ratio_asks(posts: Posts, seed: int) -> None:
    parts = split_posts(posts, (6, 2, 2), seed)
    for code in CODES:
        found = Counter(parts[post] for post, codes in posts.items() if code in codes)
        assert abs(found[SplitPart.TRAIN] - 0.6 * found.total()) <= max(4, 0.2 * found.total())


def test_posts_with_many_themes_are_dealt_as_the_others_are() -> None:
    """Otherwise a test part would hold simpler texts than those that its scores are to stand for."""
    chance = Random(3)
    posts: Posts = {
        ("reddit", "lane", f"p{number}"): frozenset(code for code in CODES if chance.random() < 0.4)
        for number in range(1000)
    }
    parts = split_posts(posts, (7, 1, 2), seed=1)
    for n_themes, n_posts in Counter(len(codes) for codes in posts.values()).items():
        dealt = Counter(parts[post] for post, codes in posts.items() if len(codes) == n_themes)
        for part, share in zip(SplitPart, (0.7, 0.1, 0.2), strict=True):
            assert abs(dealt[part] - share * n_posts) <= 6, (n_themes, dealt)


@given(posts_with_codes(smallest=1), seeds, seeds, st.integers(0, 80))
def test_settled_posts_stay_in_their_parts(posts: Posts, seed: int, other: int, n: int) -> None:
    some = dict(list(posts.items())[:n])
    settled = split_posts(some, (6, 2, 2), seed)
    parts = split_posts(posts, (6, 2, 2), other, settled)
    assert {post: parts[post] for post in settled} == settled
    assert parts.keys() == posts.keys()
    sizes = Counter(parts.values())
    for part, share in zip(SplitPart, (6, 2, 2), strict=True):
        assert abs(sizes[part] - len(posts) * share / 10) <= 2


def test_another_seed_gives_another_split_and_the_same_seed_the_same() -> None:
    posts: Posts = {("reddit", "lane", f"p{number}"): frozenset() for number in range(30)}
    first = split_posts(posts, (6, 2, 2), 1)
    assert first == split_posts(posts, (6, 2, 2), 1) != split_posts(posts, (6, 2, 2), 2)
    # Pinned: a release that is frozen again years later has to be split alike.
    assert sorted(post[2] for post, part in first.items() if part is SplitPart.TEST) == PINNED


@pytest.mark.parametrize("wrong", ["", "6:2", "6:2:2:1", "0:0:0", "-1:2:2", "a:b:c", "6:2:²", "1001:1:1"])
def test_what_is_no_ratio_is_refused(wrong: str) -> None:
    with pytest.raises(InvalidRatio):
        read_ratio(wrong)


def test_a_seed_out_of_range_is_refused() -> None:
    with pytest.raises(InvalidSeed):
        split_posts({}, (6, 2, 2), -1)
