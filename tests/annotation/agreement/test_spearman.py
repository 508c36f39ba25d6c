"""Spearman's r is scipy's, pair by pair."""

from __future__ import annotations

import numpy as np
import pytest

from annotation.agreement.ratings import ratings_table
from annotation.agreement.spearman import spearman_r


def test_it_is_scipys_with_ties_and_the_mean_over_pairs() -> None:
    from scipy.stats import spearmanr

    rng = np.random.default_rng(8)
    base = rng.integers(1, 6, size=30)
    raters = [np.clip(base + rng.integers(-1, 2, size=30), 1, 5).astype(float) for _ in range(3)]
    found = spearman_r(ratings_table(np.column_stack(raters).tolist()), resamples=300, seed=1)
    expected = np.mean(
        [spearmanr(raters[one], raters[other]).statistic for one, other in ((0, 1), (0, 2), (1, 2))]
    )
    assert found.value == pytest.approx(float(expected)) and found.n_items == 30
    assert found.low is not None and found.high is not None and found.low < expected < found.high


def test_gaps_are_left_out_pair_by_pair_and_constant_ratings_have_no_order() -> None:
    found = spearman_r(ratings_table([[1, 1, None], [2, 2, 3], [3, None, 2], [4, 5, 4]]), resamples=0, seed=1)
    # 1.0 between the first two, 0.5 of the first with the third, 1.0 of the second with the third
    assert found.value == pytest.approx((1.0 + 0.5 + 1.0) / 3)
    assert spearman_r(ratings_table([[3, 1], [3, 2]]), resamples=10, seed=1).value is None
