"""What is kept of an explainable boosting machine says what the library says."""

from __future__ import annotations

import numpy as np
import pytest

from ml_backend.learners.linear import NEVER
from ml_backend.micromodels.boosting import MOST_STRETCHES, fit_curves, fit_machine

RNG = np.random.default_rng(4)
ROWS = np.round(RNG.random((90, 3)), 3)
NAMES = ("a", "b", "c")
NOISE = RNG.normal(0, 0.2, 90)


@pytest.mark.parametrize("n_answers", [2, 3])
def test_the_curves_give_the_logits_of_the_library_also_on_their_edges(n_answers: int) -> None:
    gold = np.digitize(ROWS[:, 0] + NOISE, [0.35, 0.7][: n_answers - 1]).tolist()
    weights = np.where(np.array(gold) == 1, 2.0, 1.0).tolist()
    kept = fit_curves(ROWS, NAMES, gold, weights, n_answers, bags=2, seed=1)
    theirs = fit_machine(ROWS, gold, weights, bags=2, seed=1)
    on_edges = np.array([[edge] * 3 for edge in kept.curves[0].edges])
    for rows in (ROWS, RNG.random((40, 3)) * 3 - 1, on_edges):
        expected = theirs.decision_function(rows)
        found = kept.logits(rows)
        assert (found[:, 1] if n_answers == 2 else found) == pytest.approx(expected, abs=1e-12)
    assert [curve.feature for curve in kept.curves] == list(NAMES)
    assert all(len(curve.edges) < MOST_STRETCHES for curve in kept.curves)
    assert [sum(curve.counts) for curve in kept.curves] == [len(ROWS)] * 3
    assert kept.curves[0].importance > max(curve.importance for curve in kept.curves[1:])


def test_an_answer_that_nobody_gave_is_never_given() -> None:
    gold = [2 * (row > 0.5) for row in ROWS[:, 0]]
    kept = fit_curves(ROWS, NAMES, gold, [1.0] * 90, 3, bags=1, seed=1)
    assert kept.intercepts[1] == NEVER
    assert set(kept.logits(ROWS).argmax(axis=1).tolist()) == {0, 2}


def test_of_one_answer_there_is_nothing_to_tell_apart() -> None:
    kept = fit_curves(ROWS, NAMES, [1] * 90, [1.0] * 90, 3, bags=1, seed=1)
    assert kept.logits(ROWS[:2]).tolist() == [[NEVER, 0.0, NEVER]] * 2
