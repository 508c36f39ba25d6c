"""Texts as numbers, made once for all the models of a curve.

Everything here is learned from texts alone, never from labels, as one may do with a pool that nobody has annotated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol, TypeAlias

import numpy as np
from sklearn.decomposition import TruncatedSVD
from threadpoolctl import threadpool_limits

from ml_backend.curves import FAST_LEARNERS
from ml_backend.learners.interface import Report
from ml_backend.learners.scores import Numbers
from ml_backend.learners.vocabulary import Vocabulary

# Sparse where it is of TF-IDF, which mypy knows nothing about
Matrix: TypeAlias = Any
DIMENSIONS = 128


class UnknownFastLearner(ValueError):
    def __init__(self, name: str) -> None:
        super().__init__(f"There is no fast learner {name!r}: choose from {', '.join(FAST_LEARNERS)}.")


class Featurizer(Protocol):
    name: ClassVar[str]

    def features(self, texts: Sequence[str]) -> Matrix:
        """A row for each text. Called once for each kind of text, with all texts of the pool and the test."""
        ...


class Tfidf:
    """The features of the learner `tfidf-logistic`."""

    name: ClassVar = "tfidf-logistic"

    def features(self, texts: Sequence[str]) -> Matrix:
        return Vocabulary.learn(texts).features(texts)


class Latent:
    """The same turned into the few directions in which texts differ most: much faster to fit, and a little worse."""

    name: ClassVar = "latent-logistic"

    def features(self, texts: Sequence[str]) -> Matrix:
        return latent(Tfidf().features(texts))


class Embedded:
    """The mean over all tokens of a pretrained encoder, which is not trained further."""

    name: ClassVar = "embedding-logistic"

    def __init__(self, backbone: str, report: Report) -> None:
        self._backbone, self._report = backbone, report

    def features(self, texts: Sequence[str]) -> Matrix:
        from ml_backend.curves.embedding import embeddings

        return embeddings(texts, self._backbone, self._report)


def featurizer(name: str, *, backbone: str, report: Report) -> Featurizer:
    match name:
        case "tfidf-logistic":
            return Tfidf()
        case "latent-logistic":
            return Latent()
        case "embedding-logistic":
            return Embedded(backbone, report)
    raise UnknownFastLearner(name)


def latent(features: Matrix) -> Numbers:
    """At most 128 columns; the same features give the same numbers."""
    dimensions = min(DIMENSIONS, features.shape[0] - 1, features.shape[1] - 1)
    if dimensions < 1:
        return np.zeros((features.shape[0], 1))
    with threadpool_limits(1):
        found = TruncatedSVD(dimensions, n_iter=3, random_state=0).fit_transform(features)
    return np.asarray(found, dtype=np.float64)
