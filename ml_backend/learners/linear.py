"""The weights of a logistic regression, apart from the library that found them: so they are kept without pickle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from ml_backend.learners.interface import WeightsUnreadable
from ml_backend.learners.scores import Numbers

WEIGHTS = "linear.safetensors"
# The logit of an answer that no training label gave.
NEVER = -30.0


@dataclass(frozen=True, slots=True)
class Linear:
    """`classes` are the places of the answers seen in training; two of them share one row of weights."""

    n_values: int
    classes: NDArray[np.int64]
    weights: NDArray[np.float32]
    intercepts: NDArray[np.float32]

    def logits(self, features: csr_matrix) -> Numbers:
        found = np.full((features.shape[0], self.n_values), NEVER)
        if len(self.classes) == 1:
            found[:, self.classes[0]] = 0.0
            return found
        scores = np.asarray(features @ self.weights.T.astype(np.float64)) + self.intercepts
        if len(self.classes) == 2:
            scores = np.hstack([np.zeros_like(scores), scores])
        found[:, self.classes] = scores
        return found


def fitted_linear(
    features: csr_matrix,
    gold: Sequence[int],
    weights: Sequence[float],
    n_values: int,
    *,
    strength: float,
    balanced: bool = True,
) -> Linear:
    """Balanced, each answer counts the same in sum, however rare. With one answer only there is nothing to weigh."""
    if len(set(gold)) < 2:
        none = np.zeros((0, features.shape[1]), dtype=np.float32)
        return Linear(n_values, np.array(gold[:1] or [0]), none, np.zeros(0, dtype=np.float32))
    model = LogisticRegression(C=strength, class_weight="balanced" if balanced else None, max_iter=1000)
    model.fit(features, np.array(gold), sample_weight=np.array(weights))
    return Linear(
        n_values, model.classes_, model.coef_.astype(np.float32), model.intercept_.astype(np.float32)
    )


def write_linear(folder: Path, models: Mapping[str, Linear]) -> None:
    tensors = {}
    for code, model in models.items():
        tensors[f"{code}/weights"] = np.ascontiguousarray(model.weights)
        tensors[f"{code}/intercepts"] = model.intercepts
        tensors[f"{code}/classes"] = np.array([model.n_values, *model.classes], dtype=np.int64)
    save_file(tensors, folder / WEIGHTS)


def read_linear(folder: Path) -> dict[str, Linear]:
    try:
        tensors = load_file(folder / WEIGHTS)
        codes = sorted({name.rpartition("/")[0] for name in tensors})
        return {code: _linear(tensors, code) for code in codes}
    except (OSError, KeyError, ValueError, SafetensorError) as error:
        raise WeightsUnreadable(folder / WEIGHTS) from error


def _linear(tensors: Mapping[str, NDArray[np.generic]], code: str) -> Linear:
    n_values, *classes = (int(each) for each in tensors[f"{code}/classes"])
    weights = tensors[f"{code}/weights"].astype(np.float32)
    return Linear(n_values, np.array(classes), weights, tensors[f"{code}/intercepts"].astype(np.float32))
