"""What an explainable boosting machine learned, as curves whose heights add up, apart from the library that found it.

    logit(v | x) = intercept_v + sum_f curve_f,v(x_f)

Each curve is a step function of one feature, so that it can be drawn, and what a feature did to an answer can be read
off it. (Lou, Caruana & Gehrke 2012, KDD; Nori, Jenkins, Koch & Caruana 2019, arXiv:1909.09223.)
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


class Curve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`heights` has a row for each stretch between two `edges` and before the first and after the last one, and in it
    a number for each answer; `counts` says how many rows of the training part fell into each stretch. A value on an
    edge belongs to the stretch that begins there."""

    feature: str
    edges: tuple[float, ...]
    heights: tuple[tuple[float, ...], ...]
    counts: tuple[int, ...]

    def at(self, values: Numbers) -> Numbers:
        """A row for each value, a column for each answer.

        >>> Curve("likeness", (0.5,), ((0.0, -1.0), (0.0, 2.0)), (3, 1)).at(np.array([0.4, 0.5])).tolist()
        [[0.0, -1.0], [0.0, 2.0]]
        """
        return np.asarray(np.array(self.heights)[np.searchsorted(self.edges, values, side="right")])

    @property
    def importance(self) -> float:
        """How much it moves an answer on average: the mean distance from its mean height, over training rows and
        answers.

        >>> Curve("likeness", (0.5,), ((0.0, -1.0), (0.0, 2.0)), (1, 1)).importance
        0.75
        """
        heights, counts = np.array(self.heights), np.array(self.counts, dtype=np.float64)
        if not counts.sum():
            return 0.0
        means = np.average(heights, axis=0, weights=counts)
        return float(np.average(np.abs(heights - means).mean(axis=1), weights=counts))


class AdditiveModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of one code: a column for each of its answers, in the codebook's order, and a curve for each feature."""

    intercepts: tuple[float, ...]
    curves: tuple[Curve, ...]

    def heights(self, rows: Numbers) -> Numbers:
        """By row, feature and answer."""
        shape = (len(rows), len(self.curves), len(self.intercepts))
        found = np.zeros(shape)
        for column, curve in enumerate(self.curves):
            found[:, column] = curve.at(rows[:, column])
        return found

    def logits(self, rows: Numbers) -> Numbers:
        """
        >>> curve = Curve("likeness", (0.5,), ((0.0, -1.0), (0.0, 2.0)), (3, 1))
        >>> AdditiveModel((0.0, -0.5), (curve,)).logits(np.array([[0.7]])).tolist()
        [[0.0, 1.5]]
        """
        return np.asarray(np.array(self.intercepts) + self.heights(rows).sum(axis=1))
