"""The numbers of both conditions as a table reads them."""

from __future__ import annotations

from dataclasses import dataclass

from backend.learn.prelabels.comparing import Comparison
from learning.prelabel_experiment.values import Contrast


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """`unit` says how the numbers are written: shares in percent, or seconds."""

    name: str
    meaning: str
    contrast: Contrast
    unit: str


def rows_of(comparison: Comparison) -> list[ComparisonRow]:
    report = comparison.report
    return [
        ComparisonRow(
            "Same as the model",
            "answers that are the model’s, of all answers it also gave",
            report.with_model,
            "share",
        ),
        ComparisonRow(
            "Kept",
            "findings of the model that annotators have too; blind ones found them by themselves",
            report.kept,
            "share",
        ),
        ComparisonRow("Added", "findings of annotators that the model has not", report.added, "share"),
        ComparisonRow(
            "Same as a colleague",
            "answers that are the same, of every two to one item",
            report.between,
            "share",
        ),
        ComparisonRow("Time an item", "median, as Label Studio measures it", report.seconds, "seconds"),
    ]
