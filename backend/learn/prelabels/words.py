"""The numbers of both arms as a table reads them."""

from __future__ import annotations

from dataclasses import dataclass

from backend.learn.prelabels.comparing import Comparison
from learning.prelabel_experiment.values import Contrast


@dataclass(frozen=True, slots=True)
class ArmRow:
    """`unit` says how the numbers are written: shares in percent, or seconds."""

    name: str
    meaning: str
    contrast: Contrast
    unit: str


def rows_of(comparison: Comparison) -> list[ArmRow]:
    report = comparison.report
    return [
        ArmRow(
            "Same as the model",
            "answers that are the model’s, of all answers it also gave",
            report.with_model,
            "share",
        ),
        ArmRow(
            "Kept",
            "findings of the model that annotators have too; blind ones found them by themselves",
            report.kept,
            "share",
        ),
        ArmRow("Added", "findings of annotators that the model has not", report.added, "share"),
        ArmRow(
            "Same as a colleague",
            "answers that are the same, of every two to one item",
            report.between,
            "share",
        ),
        ArmRow("Time an item", "median, as Label Studio measures it", report.seconds, "seconds"),
    ]
