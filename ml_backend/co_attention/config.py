"""What one can ask of the co-attention network; the defaults are those that were best on validation data."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from ml_backend.encoder.config import PACKAGED, Count, Share
from ml_backend.learners.interface import Config, Input

FROZEN_RATE, TRAINED_RATE = 1e-3, 1e-4
# Of each layer; its width is a multiple of them.
HEADS = 4


class Loss(StrEnum):
    FOCAL = "focal"
    CROSS_ENTROPY = "cross-entropy"


class Pooling(StrEnum):
    MEAN = "mean"
    CLS = "cls"


class CoAttentionConfig(Config, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`train_backbone` trains the backbone's weights above its lowest `frozen_layers`; else each sentence is read once,
    by the backbone as it is. Without `attention` the mean of the other text's sentences stands beside each sentence.
    `positions` are where a sentence stands, who speaks and what the release knows of the item; `relations` how alike it
    is to what is around it. With `layers` the judged sentences look at each other, with `trees` the mean of the network
    and of boosted trees is said; the mean of several `networks` is taken.
    Relations, trees and several networks need a backbone that is not trained. A marked sentence
    counts `positive_weight` times; `gamma` is how much the focal loss turns away from what is easy. The rate falls
    along half a cosine and starts again every `restart` epochs. A step is taken after `accumulate` batches.
    """

    input: Input = Input.BI_ENCODER
    backbone: str = PACKAGED
    train_backbone: bool = False
    frozen_layers: Annotated[int, Meta(ge=0)] = 0
    pooling: Pooling = Pooling.MEAN
    attention: bool = True
    positions: bool = True
    relations: bool = True
    trees: Annotated[int, Meta(ge=0)] = 200
    layers: Annotated[int, Meta(ge=0)] = 2
    networks: Count = 3
    loss: Loss = Loss.CROSS_ENTROPY
    gamma: Annotated[float, Meta(ge=0)] = 2.0
    positive_weight: Annotated[float, Meta(gt=0)] = 1.0
    hidden: Annotated[int, Meta(ge=0)] = 128
    dropout: Share = 0.3
    epochs: Count = 10
    patience: Count = 4
    restart: Count = 10
    batch_size: Count = 32
    accumulate: Count = 1
    learning_rate: Annotated[float, Meta(gt=0)] | None = None
    max_tokens: Annotated[int, Meta(ge=8)] = 64

    def __post_init__(self) -> None:
        if self.layers and (not self.hidden or self.hidden % HEADS):
            raise ValueError(f"with layers, hidden is a multiple of {HEADS}, and not {self.hidden}")

    @property
    def has_relations(self) -> bool:
        return self.relations and not self.train_backbone

    @property
    def n_trees(self) -> int:
        return 0 if self.train_backbone else self.trees

    @property
    def n_networks(self) -> int:
        return 1 if self.train_backbone else self.networks

    @property
    def rate(self) -> float:
        return self.learning_rate or (TRAINED_RATE if self.train_backbone else FROZEN_RATE)
