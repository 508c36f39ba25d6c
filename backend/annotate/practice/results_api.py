"""The call that reads how practice went."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from ninja import Field, Router, Schema

from annotation.gold_feedback import Score
from backend.annotate.batches.models import BatchKind
from backend.annotate.batches.selectors import batch_of
from backend.annotate.practice.feedback import PracticeReport
from backend.annotate.practice.results import BatchResults, batch_results
from backend.core.studies.access import RESEARCHER, study_of

router = Router(auth=RESEARCHER)


class ScoreOut(Schema):
    matched: int
    codes: int

    @classmethod
    def of(cls, score: Score) -> ScoreOut:
        return cls(matched=score.matched, codes=score.codes)


class PractitionerOut(Schema):
    annotator: str
    submitted: int
    total: int
    changed: int = Field(description="Items that were changed after they were submitted.")
    first: ScoreOut = Field(description="By the first sound answer to each item, before feedback could help.")
    latest: ScoreOut

    @classmethod
    def of(cls, report: PracticeReport) -> PractitionerOut:
        return cls(
            annotator=report.assignment.annotator.username,
            submitted=report.submitted,
            total=report.total,
            changed=report.edited,
            first=ScoreOut.of(report.first_score),
            latest=ScoreOut.of(report.score),
        )


class CodeResultOut(Schema):
    code: str
    matched: int = Field(description="At the first try, over all annotators.")
    items: int


class PracticeOut(Schema):
    annotators: list[PractitionerOut]
    codes: list[CodeResultOut]

    @classmethod
    def of(cls, results: BatchResults) -> PracticeOut:
        return cls(
            annotators=[PractitionerOut.of(report) for report in results.reports],
            codes=[
                CodeResultOut(code=row.code.id, matched=row.matched, items=row.items) for row in results.codes
            ],
        )


@router.get("{int:batch_id}/practice", response=PracticeOut)
def read_practice(request: HttpRequest, batch_id: int) -> PracticeOut:
    """How each annotator of a practice batch did, and how each code was judged."""
    batch = batch_of(study_of(request), batch_id)
    if batch.kind != BatchKind.PRACTICE:
        raise Http404("This is no practice batch.")
    return PracticeOut.of(batch_results(batch))
