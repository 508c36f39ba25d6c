"""Who is blind is chance alone: the right share, each post alike, and sealed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learning.prelabel_experiment.randomization import ShareOutOfReach, draw_conditions
from learning.prelabel_experiment.values import Condition

POSTS = [f"p{number}" for number in range(13)]


@given(
    st.lists(st.text(max_size=5), unique=True, max_size=30),
    st.floats(0, 1),
    st.integers(0, 2**63 - 1),
    st.data(),
)
def test_every_post_has_a_condition_and_drawn_ones_keep_theirs(
    posts: list[str], share: float, seed: int, data: st.DataObject
) -> None:
    before = data.draw(st.dictionaries(st.sampled_from(posts), st.sampled_from(Condition))) if posts else {}
    found = draw_conditions(posts, share=share, seed=seed, drawn=before)
    assert set(found) == set(posts)
    assert {post: found[post] for post in before} == before
    new = [found[post] for post in posts if post not in before]
    assert abs(new.count(Condition.BLIND) - share * len(new)) < 1
    assert draw_conditions(posts[::-1], share=share, seed=seed, drawn=before) == found


def test_over_seeds_every_post_is_blind_with_the_share_asked_for() -> None:
    runs, share = 3000, 0.2
    blind = Counter(
        post
        for seed in range(runs)
        for post, condition in draw_conditions(POSTS, share=share, seed=seed, drawn={}).items()
        if condition is Condition.BLIND
    )
    # Four standard deviations of a count with this probability
    slack = 4 * (runs * share * (1 - share)) ** 0.5
    assert all(abs(blind[post] - runs * share) < slack for post in POSTS)


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(ShareOutOfReach):
        draw_conditions(POSTS, share=share, seed=1, drawn={})
