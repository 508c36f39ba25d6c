"""TF-IDF of words and characters with a balanced logistic regression: seconds to train, and hard to beat."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta
from scipy.sparse import csr_matrix

from ml_backend.learners.interface import Config
from ml_backend.learners.linear import Linear, fitted_linear, read_linear, write_linear
from ml_backend.learners.pieces import Labelled
from ml_backend.learners.soft_targets import MAJORITY
from ml_backend.learners.word_counter import WordCounter, WordSettings


class TfidfConfig(Config, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`strength` is the C of the regression: the larger, the less its weights are held back. `targets` says whether it
    learns one label of an item or the shares of annotators."""

    strength: Annotated[float, Meta(gt=0)] = 1.0
    targets: Literal["majority", "distribution"] = "majority"


class _Settings(WordSettings, frozen=True, forbid_unknown_fields=True, kw_only=True):
    config: TfidfConfig


class TfidfLogistic(WordCounter[Linear]):
    name: ClassVar = "tfidf-logistic"
    config_type: ClassVar = TfidfConfig
    settings_type: ClassVar = _Settings
    read_models = staticmethod(read_linear)
    write_models = staticmethod(write_linear)

    def fit_code(self, features: csr_matrix, known: Labelled, n_values: int) -> Linear:
        return fitted_linear(
            features,
            known.gold,
            known.weights,
            n_values,
            strength=self.config.strength,
            balanced=not self.is_soft,
        )

    @property
    def is_soft(self) -> bool:
        return bool(self.config.targets != MAJORITY)
