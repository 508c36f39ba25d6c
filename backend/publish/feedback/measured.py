"""How good a model was on a part of its release, code by code: what stands beside everything it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.release.rows import SplitPart
from backend.learn.models.models import Adapter
from codebook.schema import AnswerKind
from learning.scoring.values import CodeScores, Metric

# F1 of a box is that of the code being there, which is what a finding claims.
METRICS = {
    AnswerKind.TICK: (Metric.F1, "F1"),
    AnswerKind.LEVELS: (Metric.MACRO_F1, "macro-F1"),
    AnswerKind.SCALE: (Metric.ALPHA, "Krippendorff’s alpha"),
    AnswerKind.SENTENCES: (Metric.SENTENCE_F1, "F1 of sentences"),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """`value` is None where it could not be measured, and `note` says why; `n` counts items.

    Of the validation part it says too much: thresholds were chosen on it.
    """

    part: SplitPart
    name: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    note: str

    @property
    def where(self) -> str:
        """Which items, in words that follow their number."""
        if self.part is SplitPart.TEST:
            return "items it had not learned from"
        return "items by which its thresholds were chosen, so that it will do worse on others"


def measured_by_code(adapter: Adapter) -> Mapping[str, Measured]:
    """On the test part of its release, or on the validation part where there is no other."""
    measures = adapter.read_card().measures
    for part in (SplitPart.TEST, SplitPart.VALIDATION):
        if evaluation := measures.get(part.value):
            return {code.code_id: _measure(part, code) for code in evaluation.codes}
    return {}


def _measure(part: SplitPart, code: CodeScores) -> Measured:
    metric, name = METRICS[code.answer]
    score = code.scores.get(metric)
    if score is None:
        return Measured(part, name, None, None, None, code.n_items, "it was not measured")
    return Measured(part, name, score.value, score.low, score.high, code.n_items, score.note)
