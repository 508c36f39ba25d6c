"""Curves that add up."""

from __future__ import annotations

import numpy as np
import pytest

from learning.additive_curves import AdditiveModel, Curve

TWO = (
    Curve("first", (0.2, 0.6), ((0.0, -1.0), (0.0, 0.5), (0.0, 2.0)), (5, 3, 2)),
    Curve("second", (), ((0.0, 0.25),), (10,)),
)


def test_each_stretch_begins_at_its_edge() -> None:
    values = np.array([-3.0, 0.199, 0.2, 0.59, 0.6, 9.0])
    assert TWO[0].at(values)[:, 1].tolist() == [-1.0, -1.0, 0.5, 0.5, 2.0, 2.0]
    assert TWO[1].at(values)[:, 1].tolist() == [0.25] * 6


def test_heights_and_intercepts_add_up() -> None:
    model = AdditiveModel((0.0, -0.5), TWO)
    rows = np.array([[0.1, 0.0], [0.7, 0.0]])
    assert model.heights(rows)[:, :, 1].tolist() == [[-1.0, 0.25], [2.0, 0.25]]
    assert model.logits(rows)[:, 1].tolist() == [-1.25, 1.75]
    assert AdditiveModel((0.0, -30.0), ()).logits(np.zeros((2, 0))).tolist() == [[0.0, -30.0]] * 2


def test_importance_is_how_far_a_curve_moves_an_answer_on_average() -> None:
    """By hand: the mean is (5 · -1 + 3 · 0.5 + 2 · 2) / 10 = 0.05; the other answer never moves."""
    assert TWO[0].importance == pytest.approx((5 * 1.05 + 3 * 0.45 + 2 * 1.95) / 10 / 2)
    assert TWO[1].importance == 0.0
    assert Curve("never seen", (), ((1.0, 2.0),), (0,)).importance == 0.0
