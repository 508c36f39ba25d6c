"""k nearest neighbours by TF-IDF: the labelled texts that share the most words vote, the nearer the more.

A text x is asked about answer v; N are the k labelled texts with the largest cosine s(x, i), w_i their weights, y_i
their labels, and p(v) the share of v among all labels:

    P(v | x) = (p(v) + sum_{i in N, y_i = v} w_i s(x, i)) / (1 + sum_{i in N} w_i s(x, i))

so that a text that shares no word with any other gets the shares. (Cover & Hart 1967, IEEE Transactions on Information
Theory 13; votes weighted by likeness: Dudani 1976, IEEE Transactions on Systems, Man, and Cybernetics 6.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file
from scipy.sparse import csr_matrix
from sklearn.preprocessing import normalize

from ml_backend.examples import Example
from ml_backend.learners.calibration import fitted_rules
from ml_backend.learners.checkpoint import Checkpoint
from ml_backend.learners.dev_scores import dev_f1
from ml_backend.learners.interface import Config, OnPoint, Report, WeightsUnreadable
from ml_backend.learners.linear import NEVER
from ml_backend.learners.pieces import Labelled
from ml_backend.learners.scores import Numbers
from ml_backend.learners.word_counter import WordCounter, WordSettings

MEMORY = "neighbours.safetensors"
CANDIDATES = (1, 3, 5, 9, 15, 25, 45)
# Where there is no validation part to choose on.
WITHOUT_DEV = 15
ROWS_AT_ONCE = 256


class NeighbourConfig(Config, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`neighbours` is k; 0 chooses it on the validation part."""

    neighbours: Annotated[int, Meta(ge=0)] = 0


class _Settings(WordSettings, frozen=True, forbid_unknown_fields=True, kw_only=True):
    config: NeighbourConfig


@dataclass(slots=True)
class Neighbours:
    """The labelled texts of one code: a row of unit length for each, the place of its answer, and its weight."""

    n_values: int
    k: int
    rows: csr_matrix
    gold: NDArray[np.int64]
    weights: NDArray[np.float64]

    def logits(self, features: csr_matrix) -> Numbers:
        """The logarithms of the votes' shares."""
        if not features.shape[0]:
            return np.zeros((0, self.n_values))
        asked = normalize(features)
        parts = [self._shares(asked[at : at + ROWS_AT_ONCE]) for at in range(0, asked.shape[0], ROWS_AT_ONCE)]
        return np.asarray(np.log(np.maximum(np.vstack(parts), np.exp(NEVER))))

    def _shares(self, asked: csr_matrix) -> Numbers:
        prior = np.bincount(self.gold, self.weights, self.n_values) / self.weights.sum()
        likeness = (asked @ self.rows.T).toarray()
        # Of those that are equally near, the first
        nearest = np.argsort(-likeness, axis=1, kind="stable")[:, : self.k]
        votes = np.tile(prior, (len(likeness), 1))
        strength = np.take_along_axis(likeness, nearest, axis=1) * self.weights[nearest]
        for value in range(self.n_values):
            votes[:, value] += np.where(self.gold[nearest] == value, strength, 0.0).sum(axis=1)
        return np.asarray(votes / votes.sum(axis=1, keepdims=True))


class NearestNeighbour(WordCounter[Neighbours]):
    name: ClassVar = "nearest-neighbour"
    config_type: ClassVar = NeighbourConfig
    settings_type: ClassVar = _Settings

    def fit(
        self,
        train: Sequence[Example],
        dev: Sequence[Example],
        *,
        seed: int,
        report: Report,
        checkpoint: Checkpoint | None = None,
        on_point: OnPoint | None = None,
    ) -> None:
        super().fit(train, dev, seed=seed, report=report)
        if self.config.neighbours:
            return
        scored = [(dev_f1(self.questions, dev, self._with(k).scores(dev)), k) for k in CANDIDATES]
        # The most that are as good as the best: more voters are less of a chance
        best = max(((score, k) for score, k in scored if score is not None), default=(0.0, WITHOUT_DEV))
        report(f"{best[1]} neighbours vote")
        self.rules = fitted_rules(self.questions, dev, self._with(best[1]).scores(dev))

    def _with(self, k: int) -> NearestNeighbour:
        for model in self.models.values():
            model.k = k
        return self

    def fit_code(self, features: csr_matrix, known: Labelled, n_values: int) -> Neighbours:
        return Neighbours(
            n_values,
            self.config.neighbours or WITHOUT_DEV,
            normalize(features),
            np.array(known.gold, dtype=np.int64),
            np.array(known.weights, dtype=np.float64),
        )

    @staticmethod
    def write_models(folder: Path, models: Mapping[str, Neighbours]) -> None:
        tensors: dict[str, NDArray[Any]] = {}
        for code, model in models.items():
            tensors[f"{code}/shape"] = np.array([model.n_values, model.k, *model.rows.shape], dtype=np.int64)
            tensors[f"{code}/data"] = model.rows.data
            tensors[f"{code}/columns"] = model.rows.indices.astype(np.int64)
            tensors[f"{code}/starts"] = model.rows.indptr.astype(np.int64)
            tensors[f"{code}/gold"] = model.gold
            tensors[f"{code}/weights"] = model.weights
        save_file(tensors, folder / MEMORY)

    @staticmethod
    def read_models(folder: Path) -> dict[str, Neighbours]:
        try:
            tensors = load_file(folder / MEMORY)
            codes = sorted({name.rpartition("/")[0] for name in tensors})
            return {code: _neighbours(tensors, code) for code in codes}
        except (OSError, KeyError, ValueError, SafetensorError) as error:
            raise WeightsUnreadable(folder / MEMORY) from error


def _neighbours(tensors: Mapping[str, NDArray[np.generic]], code: str) -> Neighbours:
    n_values, k, *shape = (int(each) for each in tensors[f"{code}/shape"])
    parts = (tensors[f"{code}/data"], tensors[f"{code}/columns"], tensors[f"{code}/starts"])
    rows = csr_matrix(parts, shape=tuple(shape))
    gold = tensors[f"{code}/gold"].astype(np.int64)
    return Neighbours(n_values, k, rows, gold, tensors[f"{code}/weights"].astype(np.float64))
