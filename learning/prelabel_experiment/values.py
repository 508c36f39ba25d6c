"""What the conditions are compared on, and the numbers that come out."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from annotation.agreement.values import Estimate, MeasurementLevel


class Condition(StrEnum):
    BLIND = "blind"
    SUGGESTED = "suggested"


@dataclass(frozen=True, slots=True)
class ExperimentCode:
    """`present` are the answers that find the code; `level` is what alpha assumes of the answers."""

    code_id: str
    present: frozenset[int]
    level: MeasurementLevel


@dataclass(frozen=True, slots=True)
class ExperimentAnswer:
    """One annotator's first answer to one item, beside what the model had said about it, whether or not it was shown.

    Both by code. Answers to items that were begun before the model had spoken belong to neither condition. Those that
    are not sound count with what could be read of them: suggestions may be why they are not, and without them the
    conditions would no longer be as chance made them.
    """

    item_id: str
    post: str
    annotator: str
    condition: Condition
    values: Mapping[str, int]
    model: Mapping[str, int]
    seconds: float | None
    is_sound: bool = True


@dataclass(frozen=True, slots=True)
class ConditionEstimate:
    """`n` is what the number is made of: answers, boxes, pairs; `n_posts` how many posts they come from."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    n_posts: int


@dataclass(frozen=True, slots=True)
class Contrast:
    """One number in both conditions. `apart` is suggested minus blind; None where one of them has no value.

    `p` tests that nothing lies between the conditions; it and the interval are None where there are too few posts.
    `p_holm` is corrected for all codes compared at once, where there are several.
    """

    blind: ConditionEstimate
    suggested: ConditionEstimate
    apart: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None

    @property
    def is_clear(self) -> bool:
        """More than chance makes of it, with the correction for many codes."""
        return self.p_holm is not None and self.p_holm < 0.05


@dataclass(frozen=True, slots=True)
class CodeContrast:
    """`alpha` is Krippendorff's, between annotators, in each condition; None where no item was judged twice."""

    code_id: str
    prevalence: Contrast
    with_model: Contrast
    alpha_blind: Estimate | None
    alpha_suggested: Estimate | None


@dataclass(frozen=True, slots=True)
class ConditionCounts:
    """`unsound` answers are among the others: they came in with something missing or left over."""

    answers: int
    items: int
    posts: int
    annotators: int
    unsound: int


@dataclass(frozen=True, slots=True)
class ExperimentReport:
    """`kept` is the share of the model's findings that annotators have too, `added` that of theirs which it has not.

    In the blind condition both say what people would have done with suggestions that they never saw.
    """

    blind: ConditionCounts
    suggested: ConditionCounts
    with_model: Contrast
    kept: Contrast
    added: Contrast
    between: Contrast
    seconds: Contrast
    codes: tuple[CodeContrast, ...]
