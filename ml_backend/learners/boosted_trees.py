"""Gradient-boosted trees for two answers, kept as plain arrays: scikit-learn grows them, and numpy alone reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from ml_backend.learners.interface import WeightsUnreadable
from ml_backend.learners.scores import Numbers

TREES = "trees.safetensors"
LEAST_IN_LEAF, MOST_LEAVES = 20, 15
LEAF = -1


@dataclass(frozen=True, slots=True)
class Growth:
    """How trees are grown; `columns` is the share of columns that a split may choose from."""

    trees: int = 200
    rate: float = 0.05
    held_back: float = 1.0
    columns: float = 1.0


@dataclass(frozen=True, slots=True)
class BoostedTrees:
    """Nodes of all trees one after the other; `columns` is LEAF at a leaf, whose `values` add up to the logit."""

    start: float
    roots: NDArray[np.int64]
    columns: NDArray[np.int64]
    thresholds: Numbers
    missing_left: NDArray[np.bool_]
    children: NDArray[np.int64]
    values: Numbers

    def logits(self, rows: Numbers) -> Numbers:
        """Of the second answer against the first, for each row."""
        found = np.full(len(rows), self.start)
        every = np.arange(len(rows))
        for root in self.roots:
            at = np.full(len(rows), root)
            open_rows = every[self.columns[at] != LEAF]
            while len(open_rows):
                nodes = at[open_rows]
                cells = rows[open_rows, self.columns[nodes]]
                goes_left = np.where(
                    np.isnan(cells), self.missing_left[nodes], cells <= self.thresholds[nodes]
                )
                at[open_rows] = self.children[nodes, np.where(goes_left, 0, 1)]
                open_rows = open_rows[self.columns[at[open_rows]] != LEAF]
            found += self.values[at]
        return found


def grow_trees(
    rows: Numbers, gold: NDArray[np.bool_], weights: Numbers, growth: Growth, *, seed: int
) -> BoostedTrees:
    """`gold` says which rows are of the second answer: some are, and some are not. By scikit-learn's histograms, after
    Ke et al., “LightGBM” (NeurIPS 2017)."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    model = HistGradientBoostingClassifier(
        max_iter=growth.trees,
        learning_rate=growth.rate,
        max_leaf_nodes=MOST_LEAVES,
        min_samples_leaf=LEAST_IN_LEAF,
        l2_regularization=growth.held_back,
        max_features=growth.columns,
        early_stopping=False,
        random_state=seed,
    )
    # A column without any value has no histogram, and no split to offer.
    rows = np.where(np.isnan(rows).all(axis=0), 0.0, rows)
    # Threads that wait for each other cost more than they save on rows so few, and beside other work far more.
    with threadpool_limits(limits=1):
        model.fit(rows, gold, sample_weight=weights)
    nodes = [stage[0].nodes for stage in model._predictors]
    roots = np.cumsum([0, *(len(each) for each in nodes[:-1])])
    every = np.concatenate(nodes)
    offsets = np.repeat(roots, [len(each) for each in nodes])
    is_leaf = every["is_leaf"].astype(bool)
    return BoostedTrees(
        start=float(np.ravel(model._baseline_prediction)[0]),
        roots=roots.astype(np.int64),
        columns=np.where(is_leaf, LEAF, every["feature_idx"].astype(np.int64)),
        thresholds=every["num_threshold"].astype(np.float64),
        missing_left=every["missing_go_to_left"].astype(bool),
        children=np.stack([every["left"], every["right"]], axis=1).astype(np.int64) + offsets[:, None],
        values=every["value"].astype(np.float64),
    )


def write_trees(folder: Path, by_code: Mapping[str, BoostedTrees]) -> None:
    tensors: dict[str, NDArray[np.generic]] = {}
    for code, trees in by_code.items():
        tensors[f"{code}/start"] = np.array([trees.start])
        for name in ("roots", "columns", "thresholds", "missing_left", "children", "values"):
            tensors[f"{code}/{name}"] = np.ascontiguousarray(getattr(trees, name))
    save_file(tensors, folder / TREES)


def read_trees(folder: Path) -> dict[str, BoostedTrees]:
    try:
        tensors = load_file(folder / TREES)
        codes = sorted({name.rpartition("/")[0] for name in tensors})
        return {code: _trees(tensors, code) for code in codes}
    except (OSError, KeyError, ValueError, SafetensorError) as error:
        raise WeightsUnreadable(folder / TREES) from error


def _trees(tensors: Mapping[str, NDArray[np.generic]], code: str) -> BoostedTrees:
    return BoostedTrees(
        start=float(tensors[f"{code}/start"].astype(float)[0]),
        roots=tensors[f"{code}/roots"].astype(np.int64),
        columns=tensors[f"{code}/columns"].astype(np.int64),
        thresholds=tensors[f"{code}/thresholds"].astype(np.float64),
        missing_left=tensors[f"{code}/missing_left"].astype(np.bool_),
        children=tensors[f"{code}/children"].astype(np.int64),
        values=tensors[f"{code}/values"].astype(np.float64),
    )
