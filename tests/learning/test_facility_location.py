"""A few texts that stand for all."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from learning.facility_location import choose_representatives, word_similarity
from tests.examples import examples


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 7), st.integers(1, 4))
def test_greedy_choice_reaches_what_is_proved_of_it(seed: int, size: int, n: int) -> None:
    """At least 1 - 1/e of the best set of that size, found by trying all."""
    rng = np.random.default_rng(seed)
    similarity, weights = rng.random((size, size)), rng.random(size)

    def worth(chosen: tuple[int, ...]) -> float:
        return float(weights @ similarity[:, list(chosen)].max(axis=1))

    chosen = choose_representatives(similarity, n, weights)
    assert len(set(chosen)) == len(chosen) == min(n, size)
    best = max(worth(each) for each in combinations(range(size), min(n, size)))
    assert worth(tuple(chosen)) >= (1 - 1 / np.e) * best - 1e-12


def test_the_first_that_is_chosen_stands_best_alone() -> None:
    texts = ["I hear you", "I hear you all", "we hear you", "bread"]
    assert choose_representatives(word_similarity(texts), 1) == [0]
    assert choose_representatives(word_similarity(texts), 2) == [0, 3]


def test_weights_decide_between_groups() -> None:
    similarity = np.eye(3)
    assert choose_representatives(similarity, 2, np.array([1.0, 5.0, 2.0])) == [1, 2]
