"""Fits an explainable boosting machine with interpret, and takes from it the numbers that make it up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from learning.additive_curves import AdditiveModel, Curve
from ml_backend.learners.linear import NEVER
from ml_backend.learners.scores import Numbers

# Enough to follow a similarity, and few enough that a curve can be read.
MOST_STRETCHES = 32


def fit_curves(
    rows: Numbers,
    features: Sequence[str],
    gold: Sequence[int],
    weights: Sequence[float],
    n_values: int,
    *,
    bags: int,
    seed: int,
) -> AdditiveModel:
    """`gold` has the places of the answers. An answer that no row has is never given; with one alone there is nothing
    to tell apart, and no curve moves."""
    seen = sorted(set(gold))
    intercepts = [NEVER] * n_values
    if len(seen) < 2:
        intercepts[seen[0] if seen else 0] = 0.0
        return AdditiveModel(tuple(intercepts), ())
    model = fit_machine(rows, gold, weights, bags=bags, seed=seed)
    for place, value in zip(seen, _by_class(model.intercept_[None, :])[0], strict=True):
        intercepts[place] = float(value)
    curves = [
        _curve(feature, rows[:, column], model.bins_[column][0], model.term_scores_[column], seen, n_values)
        for column, feature in enumerate(features)
    ]
    return AdditiveModel(tuple(intercepts), tuple(curves))


def fit_machine(rows: Numbers, gold: Sequence[int], weights: Sequence[float], *, bags: int, seed: int) -> Any:
    """Each feature by itself, without pairs of them; each bag learns from another part of the rows."""
    from interpret.glassbox import ExplainableBoostingClassifier
    from threadpoolctl import threadpool_limits

    model = ExplainableBoostingClassifier(
        feature_types=["continuous"] * rows.shape[1],
        interactions=0,
        outer_bags=bags,
        max_bins=MOST_STRETCHES,
        n_jobs=1,
        random_state=seed,
    )
    with threadpool_limits(limits=1):
        model.fit(rows, np.array(gold), sample_weight=np.array(weights))
    return model


def _by_class(scores: Numbers) -> Numbers:
    """Of two classes the library keeps the second's score alone."""
    column = scores.reshape(len(scores), -1)
    return np.hstack([np.zeros_like(column), column]) if column.shape[1] == 1 else column


def _curve(
    feature: str, values: Numbers, edges: Numbers, scores: Numbers, seen: Sequence[int], n_values: int
) -> Curve:
    """The library's first stretch is for missing values and its last for unknown ones: there are none."""
    heights = np.zeros((len(edges) + 1, n_values))
    heights[:, seen] = _by_class(scores)[1:-1]
    counts = np.bincount(np.searchsorted(edges, values, side="right"), minlength=len(heights))
    return Curve(feature, tuple(edges.tolist()), tuple(map(tuple, heights.tolist())), tuple(counts.tolist()))
