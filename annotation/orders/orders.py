"""What the ML backend can be asked for, and what it answers; the tag of each says which it is."""

from __future__ import annotations

from typing import Any

import msgspec


class TrainOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="train"):
    """Learn from a release. `release` is its folder and `release_hash` that of its manifest.

    `config` holds options of the learner; what is not given keeps the learner's default. `parent_folder` is an adapter
    to begin from. `threads` 0 leaves their number to torch.
    """

    release: str
    release_hash: str
    learner: str
    config: dict[str, Any]
    seed: int
    parent_folder: str | None = None
    threads: int = 0


class PredictOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="predict"):
    """Predict texts with an adapter. `texts` is a file of `ItemText`s, one a line (see `annotation.orders.texts`)."""

    adapter_folder: str
    texts: str
    embeddings: bool = False
    threads: int = 0


Order = TrainOrder | PredictOrder


class TrainAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="train"):
    """The adapter lies in the order's folder under `adapter`; its predictions on the parts that it did not learn from
    beside it, under `measured`."""

    adapter_id: str


class PredictAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="predict"):
    """Names of files in the order's folder. `embeddings` has a row for each text, in their order, or is None.

    `n_predicted` of `n_texts` have a part that the adapter judges.
    """

    adapter_id: str
    predictions: str
    embeddings: str | None
    n_texts: int
    n_predicted: int


Answer = TrainAnswer | PredictAnswer
