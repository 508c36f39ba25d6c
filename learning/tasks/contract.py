"""What the ML backend can be asked for, and what comes of it; the tag of each says which kind of task it is."""

from __future__ import annotations

from typing import Any

import msgspec

from annotation.release.rows import SplitPart
from learning.promotion.findings import Findings
from learning.scoring.compare import Comparison


class TrainRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="train"):
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


class PredictRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="predict"):
    """Predict texts with an adapter. `texts` is a file of `ItemText`s, one a line (see `learning.tasks.texts`)."""

    adapter_folder: str
    texts: str
    embeddings: bool = False
    threads: int = 0


class BlindItems(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Items of the blind arm, with the labels that a release gives them; it may be a later one than the candidate's."""

    release: str
    release_hash: str
    item_ids: tuple[str, ...]


class ExamineRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="examine"):
    """Find out what decides on the promotion of a candidate; folders are those of adapters and of the candidate's own
    release. Without an incumbent it is compared with the majority baseline. Of the `blind` items those count, beside
    the test part, that neither has seen."""

    candidate: str
    incumbent: str | None
    release: str
    release_hash: str
    resamples: int
    seed: int
    threads: int = 0
    blind: BlindItems | None = None


class ComparePair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two files of predictions on one part of a release."""

    first: str
    second: str


class CompareRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="compare"):
    """Compare kept predictions on the same items by a paired bootstrap; no model is loaded."""

    release: str
    release_hash: str
    part: SplitPart
    pair: ComparePair
    resamples: int
    seed: int


class SavingsRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="savings"):
    """Read the savings meter on a file of a study's labels (see `learning.learning_curves.study_labels`).

    Advice is on the next `n_next` labels, and on whether they add at least `worthwhile`.
    """

    labels: str
    n_trials: int
    seed: int
    n_next: int
    worthwhile: float


TaskRequest = TrainRequest | PredictRequest | ExamineRequest | CompareRequest | SavingsRequest


class TrainResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="train"):
    """The adapter lies in the task's folder under `adapter`; its predictions on the parts that it did not learn from
    beside it, under `measured`."""

    adapter_id: str


class PredictResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="predict"):
    """Names of files in the task's folder. `embeddings` has a row for each text, in their order, or is None.

    `n_predicted` of `n_texts` have a part that the adapter judges.
    """

    adapter_id: str
    predictions: str
    embeddings: str | None
    n_texts: int
    n_predicted: int


class ExamineResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="examine"):
    findings: Findings


class CompareResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="compare"):
    comparison: Comparison


class SavingsResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="savings"):
    """The name of a file in the task's folder, as `learning.learning_curves.meter` reads it."""

    reading: str


TaskResult = TrainResult | PredictResult | ExamineResult | CompareResult | SavingsResult
