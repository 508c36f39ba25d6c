"""What the ML backend can be asked for, and what comes of it. A request names its result; the tag says which kind of
task it is."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from annotation.release.rows import SplitPart
from learning.probe.values import ProbeReport
from learning.promotion.findings import Findings
from learning.scoring.compare import Comparison


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What every result is."""


R = TypeVar("R", bound=Result)


class Request(msgspec.Struct, Generic[R], frozen=True, forbid_unknown_fields=True):
    """What every request is; its result has the same tag. On each machine one request of a `slot` is worked on at a
    time, so that what takes long does not keep other kinds waiting."""

    slot: ClassVar[str] = "use"


def is_result_of(request: Request[Any], result: Result) -> bool:
    return result.__struct_config__.tag == request.__struct_config__.tag


class TrainResult(Result, frozen=True, kw_only=True, tag="train"):
    """The adapter lies in the task's folder under `adapter`; its predictions on the parts that it did not learn from
    beside it, under `measured`."""

    adapter_id: str


class TrainRequest(Request[TrainResult], frozen=True, kw_only=True, tag="train"):
    """Learn from a release. `release` is its folder and `release_hash` that of its manifest.

    `config` holds options of the learner; what is not given keeps the learner's default. `parent_folder` is an adapter
    to begin from, whose options then hold instead. `threads` 0 leaves their number to torch.
    """

    slot: ClassVar[str] = "train"
    release: str
    release_hash: str
    learner: str
    config: dict[str, Any]
    seed: int
    parent_folder: str | None = None
    threads: int = 0


class PredictResult(Result, frozen=True, kw_only=True, tag="predict"):
    """Names of files in the task's folder. `embeddings` has a row for each text, in their order, or is None.

    `n_predicted` of `n_texts` have a part that the adapter judges.
    """

    adapter_id: str
    predictions: str
    embeddings: str | None
    n_texts: int
    n_predicted: int


class PredictRequest(Request[PredictResult], frozen=True, kw_only=True, tag="predict"):
    """Predict texts with an adapter. `texts` is a file of `ItemText`s, one a line (see `learning.tasks.texts`)."""

    adapter_folder: str
    texts: str
    embeddings: bool = False
    threads: int = 0


class LabelResult(Result, frozen=True, kw_only=True, tag="label"):
    """Every shard has its labels; so many of them were labelled by this task."""

    n_shards: int


class LabelRequest(Request[LabelResult], frozen=True, kw_only=True, tag="label"):
    """Label the shards whose texts lie ready in the task's folder, each into a file of the run's folder (see
    `learning.labelling`). `card_hash` is the sha256 of the adapter's card as the registry has it."""

    slot: ClassVar[str] = "label"
    run_folder: str
    adapter_folder: str
    adapter_id: str
    card_hash: str


class BlindItems(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Items of the blind condition, as a release labels them; it may be a later one than the candidate's."""

    release: str
    release_hash: str
    item_ids: tuple[str, ...]


class ExamineResult(Result, frozen=True, kw_only=True, tag="examine"):
    """`posts` are those that were compared on, as `learning.promotion.ledger` names them."""

    findings: Findings
    posts: tuple[str, ...] = ()


class ExamineRequest(Request[ExamineResult], frozen=True, kw_only=True, tag="examine"):
    """Find out what decides on the promotion of a candidate; folders are those of adapters and of the candidate's own
    release. Without an incumbent it is compared with the majority baseline. Of the `blind` items those count, beside
    the test part, that neither has seen. `least_gain` is by how much the mean over themes has to be better."""

    candidate: str
    incumbent: str | None
    release: str
    release_hash: str
    resamples: int
    seed: int
    threads: int = 0
    blind: BlindItems | None = None
    least_gain: float = 0.0


class UnrelatedFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Posts about something else (see `learning.probe.unrelated`), and in words where they are from."""

    path: str
    source: str


class ProbeResult(Result, frozen=True, kw_only=True, tag="probe"):
    report: ProbeReport


class ProbeRequest(Request[ProbeResult], frozen=True, kw_only=True, tag="probe"):
    """Probe on the test part of a release whether an adapter looks at the post. Without `unrelated` posts, those of the
    release's other parts take their place."""

    adapter: str
    release: str
    release_hash: str
    unrelated: UnrelatedFile | None
    resamples: int
    seed: int
    threads: int = 0


class ComparePair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two files of predictions on one part of a release."""

    first: str
    second: str


class CompareResult(Result, frozen=True, kw_only=True, tag="compare"):
    comparison: Comparison


class CompareRequest(Request[CompareResult], frozen=True, kw_only=True, tag="compare"):
    """Compare kept predictions on the same items by a paired bootstrap; no model is loaded."""

    release: str
    release_hash: str
    part: SplitPart
    pair: ComparePair
    resamples: int
    seed: int


class TransferResult(Result, frozen=True, kw_only=True, tag="transfer"):
    """What the study found lies in the run's folder, as `learning.transfer.results` reads it; `pairs` is the name of
    the table of pairs there."""

    results: str
    pairs: str


class TransferRequest(Request[TransferResult], frozen=True, kw_only=True, tag="transfer"):
    """Run a transfer study: the file `study` in the run's folder, where finished cells are kept (see
    `learning.transfer`)."""

    slot: ClassVar[str] = "transfer"
    run_folder: str
    study: str


class SavingsResult(Result, frozen=True, kw_only=True, tag="savings"):
    """The name of a file in the task's folder, as `learning.learning_curves.meter` reads it."""

    reading: str


class SavingsRequest(Request[SavingsResult], frozen=True, kw_only=True, tag="savings"):
    """Read the savings meter on a file of a study's labels (see `learning.learning_curves.study_labels`).

    Advice is on the next `n_next` labels, and on whether they add at least `worthwhile`. `look` is which reading of its
    series this is.
    """

    labels: str
    n_trials: int
    seed: int
    n_next: int
    worthwhile: float
    look: int = 1


class AgreementResult(Result, frozen=True, kw_only=True, tag="agreement"):
    """The name of a file in the task's folder, as `annotation.agreement.files` reads it."""

    report: str


class AgreementRequest(Request[AgreementResult], frozen=True, kw_only=True, tag="agreement"):
    """Measure agreement on a file of `answers`: between annotators, or in a retest that of each with themselves."""

    slot: ClassVar[str] = "agreement"
    answers: str
    is_retest: bool
    resamples: int
    seed: int


TaskRequest = (
    TrainRequest
    | PredictRequest
    | LabelRequest
    | ExamineRequest
    | ProbeRequest
    | CompareRequest
    | TransferRequest
    | SavingsRequest
    | AgreementRequest
)
TaskResult = (
    TrainResult
    | PredictResult
    | LabelResult
    | ExamineResult
    | ProbeResult
    | CompareResult
    | TransferResult
    | SavingsResult
    | AgreementResult
)
