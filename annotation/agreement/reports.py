"""What is reported on a whole batch and on a recheck: one shape for the page, the files and the tables."""

from dataclasses import dataclass, replace

from annotation.agreement.values import (
    Estimate,
    ItemAnswer,
    JudgedCode,
    JudgedItem,
    MeasurementLevel,
    PairEstimate,
    RatingsAgreement,
)
from codebook.schema import AnswerKind, Part

NOT_MEASURED = Estimate(
    None, None, None, 0, 0, "Not in this report, which was made before the statistic was added."
)


@dataclass(frozen=True, slots=True)
class MarkEstimates:
    """Overlap of what two annotators marked, as a mean over pairs of answers: `f1` and `iou` where both found the code,
    `f1_any` and `iou_any` where at least one marked something; `together` is agreement on the code and its place.
    `alpha_u` is Krippendorff's alpha over tokens; older reports do not have it."""

    f1: Estimate
    iou: Estimate
    f1_any: Estimate
    iou_any: Estimate
    together: Estimate
    alpha_u: Estimate = NOT_MEASURED


@dataclass(frozen=True, slots=True)
class PairMarks:
    rater: str
    other: str
    estimates: MarkEstimates


@dataclass(frozen=True, slots=True)
class MarkAgreement:
    """On the tokens of evidence, or on marked sentences; pairs are in the order of `RatingsAgreement.pairs`.

    `elsewhere` has the items on which two annotators found the code in different places (F1 below 0.5); in all
    estimates on marks `n_items` counts pairs of answers.
    """

    unit: str
    mean: MarkEstimates
    pairs: tuple[PairMarks, ...]
    elsewhere: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CodeAgreement:
    """All about one code. `level` is what alpha assumes; the other measures compare answers as categories.

    `found_share` is the share of ratings that find the code, None where no answer says so (rating scales);
    `sentences` has the measures with each sentence as a unit; `disagreed` has the items behind the numbers.
    """

    code_id: str
    part: Part
    answer: AnswerKind
    level: MeasurementLevel
    ratings: RatingsAgreement
    marks: MarkAgreement | None
    sentences: RatingsAgreement | None
    found_share: float | None
    prevalence_warning: str
    disagreed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MeanAgreement:
    """Means over codes: of one part, or of all parts where `part` is None."""

    part: Part | None
    n_codes: int
    estimates: dict[str, Estimate]

    def __getitem__(self, name: str) -> Estimate:
        return self.estimates[name]


@dataclass(frozen=True, slots=True)
class FlagCalibration:
    """Does a rater's "not sure" foretell disagreement? Rates of differing from others on flagged and other items."""

    rater: str
    n_flagged: int
    n_unflagged: int
    flagged: Estimate
    unflagged: Estimate
    difference: Estimate


@dataclass(frozen=True, slots=True)
class AlphaCheck:
    """What another implementation says of our alpha, in a line; `differing` names the codes where it has another."""

    says: str
    differing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BatchAgreement:
    """`pairs` are means over all codes, for the heatmap; `means` has one entry per part and, last, one over all.

    `posts` are those that the items belong to, so that rounds can be told apart; `method` is the version of
    the formulas; reports from before alpha was checked have no `alpha_check`.
    """

    n_items: int
    posts: tuple[str, ...]
    raters: tuple[str, ...]
    codes: tuple[CodeAgreement, ...]
    means: tuple[MeanAgreement, ...]
    pairs: tuple[PairEstimate, ...]
    flags: tuple[FlagCalibration, ...]
    resamples: int
    seed: int
    method: int
    alpha_check: AlphaCheck | None = None


@dataclass(frozen=True, slots=True)
class Retest:
    """The same annotator on the same item, twice."""

    before: ItemAnswer
    after: ItemAnswer


@dataclass(frozen=True, slots=True)
class RetestJudgments:
    codes: tuple[JudgedCode, ...]
    items: tuple[JudgedItem, ...]
    retests: tuple[Retest, ...]


def retests_in_order(judgments: RetestJudgments) -> RetestJudgments:
    return replace(
        judgments,
        items=tuple(sorted(judgments.items, key=lambda item: item.item_id)),
        retests=tuple(
            sorted(judgments.retests, key=lambda retest: (retest.before.item_id, retest.before.rater))
        ),
    )


@dataclass(frozen=True, slots=True)
class RetestEstimate:
    """Cohen's kappa and raw agreement between the first and the second answers."""

    kappa: Estimate
    raw_agreement: Estimate


@dataclass(frozen=True, slots=True)
class RaterRetest:
    rater: str
    estimate: RetestEstimate


@dataclass(frozen=True, slots=True)
class CodeRetest:
    """`changed` has the items that somebody answered otherwise the second time."""

    code_id: str
    part: Part
    answer: AnswerKind
    pooled: RetestEstimate
    raters: tuple[RaterRetest, ...]
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RetestAgreement:
    """`mean` and `raters` are means over the codes."""

    n_items: int
    codes: tuple[CodeRetest, ...]
    mean: RetestEstimate
    raters: tuple[RaterRetest, ...]
    resamples: int
    seed: int
    method: int
