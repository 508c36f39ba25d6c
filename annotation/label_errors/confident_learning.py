"""Finds labels that a model which did not see them confidently contradicts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


class ProbabilitiesUnfit(ValueError):
    """Probabilities that do not go with the labels."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelDoubts:
    """By item: the probability of its label, how far that is ahead of the best other (negative: behind), the label
    that the model is confident of (-1: none) and whether it contradicts. `ranked` are the doubtful items, worst first;
    `joint[j, k]` counts items labelled j that are confidently k; `thresholds` are by label, NaN where it never occurs.
    """

    self_confidence: NDArray[np.float64]
    margin: NDArray[np.float64]
    confident: NDArray[np.int64]
    looks_wrong: NDArray[np.bool_]
    ranked: NDArray[np.int64]
    joint: NDArray[np.int64]
    thresholds: NDArray[np.float64]


def label_doubts(labels: NDArray[np.int64], probabilities: NDArray[np.float64]) -> LabelDoubts:
    r"""Confident learning (C. G. Northcutt, L. Jiang, I. L. Chuang, "Confident Learning: Estimating Uncertainty in
    Dataset Labels", JAIR 70, 2021), on probabilities from a model that was not trained on the items.

    With p_i(k) the probability that item i is k, the threshold of label k is the mean of p_i(k) over items labelled k.
    Item i is confidently k if p_i(k) reaches the threshold of k, the most probable k if several do; it looks wrong if
    that is not its label. Doubtful items are ranked by the normalised margin p_i(label) - max_{k ≠ label} p_i(k).

    Item 2 is labelled 0 with probability 0.2, and 1 reaches its threshold (0.8 + 0.6) / 2 = 0.7:

    >>> labels = np.array([0, 0, 0, 1, 1])
    >>> probabilities = np.array([[0.9, 0.1], [0.7, 0.3], [0.2, 0.8], [0.2, 0.8], [0.4, 0.6]])
    >>> doubts = label_doubts(labels, probabilities)
    >>> [round(value, 12) for value in doubts.thresholds.tolist()], doubts.ranked.tolist(), doubts.joint.tolist()
    ([0.6, 0.7], [2], [[2, 1], [0, 1]])
    """
    _check(labels, probabilities)
    n_items, n_labels = probabilities.shape
    at = np.arange(n_items)
    own = probabilities[at, labels]
    thresholds = _thresholds(labels, own, n_labels)
    # A threshold of NaN is reached by nobody: nothing is known of a label that never occurs.
    reached = np.where(probabilities >= thresholds, probabilities, -1.0)
    confident = np.where((reached >= 0).any(axis=1), reached.argmax(axis=1), -1)
    looks_wrong = (confident >= 0) & (confident != labels)
    others = probabilities.copy()
    others[at, labels] = 0.0
    margin = own - others.max(axis=1)
    doubtful = np.flatnonzero(looks_wrong)
    sure = confident >= 0
    joint = np.bincount(labels[sure] * n_labels + confident[sure], minlength=n_labels**2)
    return LabelDoubts(
        self_confidence=own,
        margin=margin,
        confident=confident.astype(np.int64),
        looks_wrong=looks_wrong,
        ranked=doubtful[np.argsort(margin[doubtful], kind="stable")].astype(np.int64),
        joint=joint.reshape(n_labels, n_labels).astype(np.int64),
        thresholds=thresholds,
    )


def _thresholds(labels: NDArray[np.int64], own: NDArray[np.float64], n_labels: int) -> NDArray[np.float64]:
    counts = np.bincount(labels, minlength=n_labels)
    sums = np.bincount(labels, weights=own, minlength=n_labels)
    thresholds = np.full(n_labels, np.nan)
    occurs = counts > 0
    thresholds[occurs] = sums[occurs] / counts[occurs]
    return thresholds


def _check(labels: NDArray[np.int64], probabilities: NDArray[np.float64]) -> None:
    if probabilities.ndim != 2 or labels.shape != probabilities.shape[:1] or not probabilities.size:
        raise ProbabilitiesUnfit("Give one row of probabilities for each label, with at least one of both.")
    if labels.min() < 0 or labels.max() >= probabilities.shape[1]:
        raise ProbabilitiesUnfit(
            "A label has no column of probabilities: number labels from 0 like the columns."
        )
    if not (probabilities >= 0).all() or not np.allclose(probabilities.sum(axis=1), 1, atol=1e-3):
        raise ProbabilitiesUnfit("A row of probabilities has a gap, a negative number or another sum than 1.")
