"""The numbers that come out of measuring a model, in the one form that pages, files and tables use."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from annotation.release.rows import SplitPart
from codebook.schema import AnswerKind, Part


class Metric(StrEnum):
    """Those on places name the rows that count; `every_token` is a predictor that marks all words, to compare
    with. `annotator_entropy` is the least that cross-entropy can be."""

    PRECISION = "precision"
    RECALL = "recall"
    F1 = "f1"
    ACCURACY = "accuracy"
    MACRO_F1 = "macro_f1"
    QUADRATIC_KAPPA = "quadratic_kappa"
    ABSOLUTE_ERROR = "mean_absolute_error"
    ALPHA = "krippendorff_alpha"
    AVERAGE_PRECISION = "average_precision"
    CALIBRATION_ERROR = "calibration_error"
    BRIER = "brier"
    CROSS_ENTROPY = "cross_entropy"
    ANNOTATOR_ENTROPY = "annotator_entropy"
    MANHATTAN_DISTANCE = "manhattan_distance"
    SENTENCE_PRECISION = "sentence_precision"
    SENTENCE_RECALL = "sentence_recall"
    SENTENCE_F1 = "sentence_f1"
    TOKEN_F1_POSITIVES = "token_f1_positives"
    IOU_F1_POSITIVES = "iou_f1_positives"
    TOKEN_F1_ALL_ROWS = "token_f1_all_rows"
    IOU_F1_ALL_ROWS = "iou_f1_all_rows"
    TOKEN_F1_ALL_ONES = "token_f1_all_ones"
    IOU_F1_ALL_ONES = "iou_f1_all_ones"
    EVERY_TOKEN_F1_POSITIVES = "every_token_f1_positives"
    EVERY_TOKEN_IOU_F1_POSITIVES = "every_token_iou_f1_positives"
    EVERY_TOKEN_F1_ALL_ROWS = "every_token_f1_all_rows"
    EVERY_TOKEN_IOU_F1_ALL_ROWS = "every_token_iou_f1_all_rows"
    EVERY_TOKEN_F1_ALL_ONES = "every_token_f1_all_ones"
    EVERY_TOKEN_IOU_F1_ALL_ONES = "every_token_iou_f1_all_ones"

    @property
    def is_error(self) -> bool:
        """Whether less is better."""
        return self in _ERRORS


_ERRORS = frozenset(
    {
        Metric.ABSOLUTE_ERROR,
        Metric.CALIBRATION_ERROR,
        Metric.BRIER,
        Metric.CROSS_ENTROPY,
        Metric.MANHATTAN_DISTANCE,
    }
)
# What stands for a code where there is room for one number.
HEADLINE = {
    AnswerKind.TICK: Metric.MACRO_F1,
    AnswerKind.LEVELS: Metric.MACRO_F1,
    AnswerKind.SCALE: Metric.ALPHA,
    AnswerKind.SENTENCES: Metric.SENTENCE_F1,
}

HEADLINE_WORDS = {
    Metric.MACRO_F1: "macro-F1",
    Metric.ALPHA: "Krippendorff's alpha",
    Metric.SENTENCE_F1: "F1 of sentences",
}


@dataclass(frozen=True, slots=True)
class ScoreEstimate:
    """`value` is None where the measure is not defined, and `note` says why; `n` counts what it is computed from."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    note: str


@dataclass(frozen=True, slots=True)
class CodeScores:
    """`n_items` have a label and a prediction; `n_unpredicted` have a label alone and are left out of every score.

    `n_found` and `n_found_predicted` count the items where gold and model find the code, None where no answer says
    that it is not there.
    """

    code_id: str
    part: Part
    answer: AnswerKind
    n_items: int
    n_unpredicted: int
    n_found: int | None
    n_found_predicted: int | None
    scores: dict[Metric, ScoreEstimate]

    @property
    def headline(self) -> ScoreEstimate:
        return self.scores[HEADLINE[self.answer]]


@dataclass(frozen=True, slots=True)
class MeanScores:
    """Over the codes of a part, or of all parts (None); `left_out` has the codes without a value, by measure."""

    part: Part | None
    n_codes: int
    scores: dict[Metric, ScoreEstimate]
    left_out: dict[Metric, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """`split` is None where all parts were measured; `gold_hash` tells whether two evaluations had the same gold.

    `n_unpredicted` counts items without any prediction, `n_foreign` predictions on items that are not measured
    here, and `n_truncated` measured items that did not fit into the model. `n_suggested` items were left out, because
    they were judged with a model's suggestion in view.
    """

    split: SplitPart | None
    adapters: tuple[str, ...]
    gold_hash: str
    n_items: int
    n_posts: int
    n_unpredicted: int
    n_foreign: int
    n_truncated: int
    codes: tuple[CodeScores, ...]
    means: tuple[MeanScores, ...]
    resamples: int
    seed: int
    n_suggested: int = 0

    def code(self, code_id: str) -> CodeScores | None:
        return next((code for code in self.codes if code.code_id == code_id), None)

    def mean(self, part: Part | None = None) -> MeanScores | None:
        return next((mean for mean in self.means if mean.part is part), None)


def main_metric(evaluation: Evaluation) -> Metric | None:
    counted = Counter(HEADLINE[code.answer] for code in evaluation.codes)
    return counted.most_common(1)[0][0] if counted else None


def main_score(evaluation: Evaluation) -> ScoreEstimate | None:
    """Measures are never averaged with each other, so themes of other kinds are not in it."""
    metric, mean = main_metric(evaluation), evaluation.mean()
    return mean.scores.get(metric) if mean and metric else None


@dataclass(frozen=True, slots=True)
class Difference:
    """First minus second; None where one of them has no value. `p_holm` is corrected for all codes compared at
    once."""

    first: float | None
    second: float | None
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    note: str
