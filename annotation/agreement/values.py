"""The ratings that agreement is measured on, and the numbers that come out, in the one form everybody uses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from codebook.schema import AnswerKind, Part

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class MeasurementLevel(StrEnum):
    """What the distance between two ratings means."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """`values[i, r]` is what rater r said of item i, NaN where nothing; items of one cluster belong together."""

    items: tuple[str, ...]
    raters: tuple[str, ...]
    values: NDArray[np.float64]
    clusters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Estimate:
    """`value` is None where the measure is not defined, and `note` says why; `note` also tells what gaps cost."""

    value: float | None
    low: float | None
    high: float | None
    n_items: int
    n_raters: int
    note: str


@dataclass(frozen=True, slots=True)
class PairEstimate:
    """Two raters, alphabetically, with the items that both rated."""

    rater: str
    other: str
    kappa: Estimate
    raw_agreement: Estimate


@dataclass(frozen=True, slots=True)
class CategoryShare:
    value: float
    share: float
    n: int


@dataclass(frozen=True, slots=True)
class RatingsAgreement:
    """All statistics on one table of ratings, by the names of the registry. `n_units` counts what is independent: the
    posts with an item that two raters rated, or such items where each stands alone."""

    estimates: dict[str, Estimate]
    pairs: tuple[PairEstimate, ...]
    prevalence: tuple[CategoryShare, ...]
    n_ratings: int
    n_gaps: int
    n_units: int

    def __getitem__(self, name: str) -> Estimate:
        return self.estimates[name]


@dataclass(frozen=True, slots=True)
class JudgedCode:
    """What of a code the measures depend on. `values` are the possible answers, `present` those that find it."""

    code_id: str
    part: Part
    answer: AnswerKind
    takes_evidence: bool
    values: tuple[int, ...]
    present: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """`cluster` is the post, which several items may share; tokens and sentences are counted by part."""

    item_id: str
    cluster: str
    n_tokens: dict[Part, int]
    n_sentences: dict[Part, int]


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """One annotator's first sound answer to one item; `evidence` has the places of marked tokens, by code,
    `sentences` the places of marked sentences."""

    item_id: str
    rater: str
    values: dict[str, int]
    evidence: dict[str, tuple[int, ...]]
    sentences: dict[str, tuple[int, ...]]
    is_flagged: bool


@dataclass(frozen=True, slots=True)
class BatchJudgments:
    """Everything a report on a batch is computed from; its canonical JSON is what is hashed."""

    codes: tuple[JudgedCode, ...]
    items: tuple[JudgedItem, ...]
    raters: tuple[str, ...]
    answers: tuple[ItemAnswer, ...]


def judgments_in_order(judgments: BatchJudgments) -> BatchJudgments:
    """Codes stay in the order of the codebook; the same judgments give the same hash and the same draws, however they
    were read."""
    return replace(
        judgments,
        items=tuple(sorted(judgments.items, key=lambda item: item.item_id)),
        raters=tuple(sorted(judgments.raters)),
        answers=tuple(sorted(judgments.answers, key=lambda answer: (answer.item_id, answer.rater))),
    )
