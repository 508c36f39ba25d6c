"""How all annotators of a practice batch did, for the researchers."""

from __future__ import annotations

from dataclasses import dataclass

from backend.annotate.batches.models import Batch
from backend.annotate.practice.comparison import CodeHits
from backend.annotate.practice.feedback import PracticeReport, practice_report
from backend.design.codebooks.selectors import codebook_of
from codebook.schema import Code


@dataclass(frozen=True, slots=True)
class CodeResults:
    """One code's hits at the first try by annotator, in the order of the reports; None if nothing was submitted yet."""

    code: Code
    hits: tuple[CodeHits | None, ...]

    @property
    def matched(self) -> int:
        return sum(hits.matched for hits in self.hits if hits)

    @property
    def items(self) -> int:
        return sum(hits.items for hits in self.hits if hits)

    @property
    def share(self) -> float | None:
        return self.matched / self.items if self.items else None


@dataclass(frozen=True, slots=True)
class BatchResults:
    reports: tuple[PracticeReport, ...]
    codes: tuple[CodeResults, ...]

    @property
    def has_any(self) -> bool:
        return any(report.items for report in self.reports)


def batch_results(batch: Batch) -> BatchResults:
    assignments = batch.assignments.select_related("batch__edition", "annotator").order_by(
        "annotator__username"
    )
    reports = tuple(practice_report(assignment) for assignment in assignments)
    codes = []
    for _, code in codebook_of(batch.edition).coded_questions():
        hits = tuple(next((h for h in report.first_hits if h.code.id == code.id), None) for report in reports)
        codes.append(CodeResults(code, hits))
    return BatchResults(reports, tuple(codes))
