"""Which labels teach and which measure."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learning.learning_curves.trials import TooFewLabels, sizes_for, trial


@given(st.integers(0, 500), st.integers(40, 120), st.integers(20, 120))
def test_both_arms_have_the_same_number_and_never_what_they_are_measured_on(
    seed: int, n_random: int, n_chosen: int
) -> None:
    n = n_random + n_chosen
    rng = np.random.default_rng(seed)
    posts = [f"post-{number}" for number in rng.integers(0, n // 2, n)]
    is_random = rng.permutation(np.arange(n) < n_random)
    found, sizes = trial(is_random, posts, rng), sizes_for(n_random, n_chosen)
    assert is_random[found.random].all() and set(found.random) <= set(found.mixed)
    assert sorted([*found.test, *found.mixed]) == list(range(n))
    assert not {posts[at] for at in found.test} & {posts[at] for at in found.mixed}
    assert n / 4 <= len(found.test) <= n / 4 + max(np.unique(posts, return_counts=True)[1])
    assert all(found.number(size, sizes) <= len(found.random) for size in sizes.random)
    assert sizes.random == sizes.mixed[: len(sizes.random)]
    assert list(sizes.mixed) == sorted(sizes.mixed) and sizes.mixed[-1] == int(0.75 * n)


def test_the_mix_is_mixed_as_the_study_is() -> None:
    is_random = np.arange(400) < 100
    shares = []
    for seed in range(50):
        found = trial(is_random, [str(at) for at in range(400)], np.random.default_rng(seed))
        shares.append(is_random[found.mixed[:75]].mean())
    assert np.mean(shares) == pytest.approx(0.25, abs=0.02)


@pytest.mark.parametrize(("n_random", "n_chosen"), [(39, 500), (500, 19)])
def test_with_too_few_labels_nothing_is_said(n_random: int, n_chosen: int) -> None:
    with pytest.raises(TooFewLabels, match="must be 40 and 20"):
        sizes_for(n_random, n_chosen)
