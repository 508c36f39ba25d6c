"""Confident learning: by hand on a small table, and on labels that were flipped on purpose."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.label_errors.confident_learning import ProbabilitiesUnfit, label_doubts

# Thresholds by hand: 0: (0.8 + 0.6 + 0.1) / 3 = 0.5; 1: (0.7 + 0.3) / 2 = 0.5; 2: (0.6 + 0.2) / 2 = 0.4.
LABELS = np.array([0, 0, 0, 1, 1, 2, 2])
PROBABILITIES = np.array(
    [
        [0.8, 0.1, 0.1],
        [0.6, 0.2, 0.2],
        [0.1, 0.7, 0.2],  # labelled 0, confidently 1
        [0.2, 0.7, 0.1],
        [0.3, 0.3, 0.4],  # labelled 1, confidently 2
        [0.2, 0.2, 0.6],
        [0.4, 0.4, 0.2],  # labelled 2, confident of nothing
    ]
)


def test_by_hand() -> None:
    doubts = label_doubts(LABELS, PROBABILITIES)
    assert doubts.thresholds == pytest.approx([0.5, 0.5, 0.4])
    assert doubts.self_confidence == pytest.approx([0.8, 0.6, 0.1, 0.7, 0.3, 0.6, 0.2])
    assert doubts.margin == pytest.approx([0.7, 0.4, -0.6, 0.5, -0.1, 0.4, -0.2])
    assert doubts.confident.tolist() == [0, 0, 1, 1, 2, 2, -1]
    assert doubts.looks_wrong.tolist() == [False, False, True, False, True, False, False]
    assert doubts.ranked.tolist() == [2, 4]
    assert doubts.joint.tolist() == [[2, 1, 0], [0, 1, 1], [0, 0, 1]]


def test_of_several_confident_labels_the_most_probable_counts() -> None:
    """Both thresholds are 0.5 or less here, and item 2 reaches both."""
    doubts = label_doubts(np.array([0, 1, 0, 1]), np.array([[0.6, 0.4], [0.5, 0.5], [0.3, 0.7], [0.8, 0.2]]))
    assert doubts.thresholds == pytest.approx([0.45, 0.35])
    assert doubts.confident.tolist() == [0, 0, 1, 0]


def test_a_label_that_never_occurs_is_never_suspected() -> None:
    doubts = label_doubts(np.array([0, 0]), np.array([[0.9, 0.1], [0.1, 0.9]]))
    assert np.isnan(doubts.thresholds[1])
    assert not doubts.looks_wrong.any()


@pytest.mark.parametrize("noise", [0.05, 0.15])
def test_most_flipped_labels_are_found(noise: float) -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(3, size=3000)
    logits = rng.normal(size=(3000, 3)) + 3 * np.eye(3)[truth]
    probabilities = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    is_flipped = rng.random(3000) < noise
    labels = np.where(is_flipped, (truth + rng.integers(1, 3, 3000)) % 3, truth)
    doubts = label_doubts(labels, probabilities)
    assert doubts.looks_wrong[is_flipped].mean() > 0.6
    assert is_flipped[doubts.ranked[: int(is_flipped.sum()) // 2]].mean() > 0.95
    assert (
        doubts.confident[doubts.looks_wrong & is_flipped] == truth[doubts.looks_wrong & is_flipped]
    ).mean() > 0.9


@given(st.permutations(range(len(LABELS))), st.permutations(range(3)))
def test_the_order_of_items_and_labels_changes_nothing(items: list[int], labels: list[int]) -> None:
    doubts = label_doubts(LABELS, PROBABILITIES)
    place = np.argsort(labels)
    other = label_doubts(place[LABELS[items]], PROBABILITIES[items][:, labels])
    assert np.array_equal(other.looks_wrong, doubts.looks_wrong[items])
    assert [items[at] for at in other.ranked] == doubts.ranked.tolist()


@pytest.mark.parametrize(
    ("labels", "probabilities", "message"),
    [
        ([0], [[0.5, 0.5], [0.5, 0.5]], "one row of probabilities for each label"),
        ([], np.zeros((0, 2)), "at least one of both"),
        ([2], [[0.5, 0.5]], "no column of probabilities"),
        ([-1], [[0.5, 0.5]], "no column of probabilities"),
        ([0], [[np.nan, 0.5]], "a gap"),
        ([0], [[1.2, -0.2]], "negative"),
        ([0], [[0.2, 0.2]], "another sum than 1"),
    ],
)
def test_what_does_not_fit_is_refused(
    labels: list[int], probabilities: list[list[float]], message: str
) -> None:
    with pytest.raises(ProbabilitiesUnfit, match=message):
        label_doubts(np.array(labels, dtype=np.int64), np.array(probabilities))
