"""What one can ask of the generative learners; every field is a choice that the card of an adapter names."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from ml_backend.learners.interface import Config

PACKAGED = "smollm2-135m-instruct"

Count = Annotated[int, Meta(ge=1)]


class FourBit(StrEnum):
    """Whether weights are held in 4 bits (NF4, their scales quantised too); `auto` does so where there is CUDA."""

    AUTO = "auto"
    YES = "yes"
    NO = "no"


class PromptConfig(Config, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`evidence` asks for quotes with the answer; `answer_tokens` is the room for them within `max_tokens`. With
    `by_sentence` each sentence is a question of its own, where sentences are asked for."""

    backbone: str = PACKAGED
    four_bit: FourBit = FourBit.AUTO
    evidence: bool = True
    max_tokens: Annotated[int, Meta(ge=128)] = 2048
    answer_tokens: Annotated[int, Meta(ge=8)] = 256
    by_sentence: bool = False


class GenerativeConfig(PromptConfig, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A step is taken every `batch_size` answers, of which `at_once` are in memory together."""

    epochs: Count = 3
    patience: Count = 2
    batch_size: Count = 32
    at_once: Count = 2
    learning_rate: Annotated[float, Meta(gt=0)] = 2e-5
    weight_decay: Annotated[float, Meta(ge=0)] = 0.01
    rank: Count = 16
    alpha: Count = 16


class FewShotConfig(PromptConfig, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`demonstrations` is how many labelled items are shown before the question, at most."""

    demonstrations: Annotated[int, Meta(ge=4, le=6)] = 6
