"""How good a model was on what it had not learned from, code by code: what stands beside everything it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.release.rows import SplitPart
from annotation.scoring.values import CodeScores, Metric
from backend.adapters.models import Adapter
from codebook.schema import AnswerKind

# F1 of a box is that of the code being there, which is what a finding claims.
METRICS = {
    AnswerKind.TICK: (Metric.F1, "F1"),
    AnswerKind.LEVELS: (Metric.MACRO_F1, "macro-F1"),
    AnswerKind.SCALE: (Metric.ALPHA, "Krippendorff’s alpha"),
    AnswerKind.SENTENCES: (Metric.SENTENCE_F1, "F1 of sentences"),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """`value` is None where it could not be measured, and `note` says why; `n` counts items."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    note: str


def measured_by_code(adapter: Adapter) -> Mapping[str, Measured]:
    """On the test part of its release, or on the validation part where there is no other."""
    measures = adapter.read_card().measures
    parts = (measures.get(part.value) for part in (SplitPart.TEST, SplitPart.VALIDATION))
    evaluation = next((each for each in parts if each is not None), None)
    return {code.code_id: _measured(code) for code in evaluation.codes} if evaluation else {}


def _measured(code: CodeScores) -> Measured:
    metric, name = METRICS[code.answer]
    score = code.scores.get(metric)
    if score is None:
        return Measured(name, None, None, None, code.n_items, "it was not measured")
    return Measured(name, score.value, score.low, score.high, code.n_items, score.note)
