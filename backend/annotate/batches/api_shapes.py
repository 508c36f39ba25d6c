"""What calls about batches send and answer."""

from __future__ import annotations

from datetime import date, datetime

from ninja import Field, Schema

from backend.annotate.batches.counting import Counts
from backend.annotate.batches.plans import BatchPlan
from backend.annotate.batches.progress import AnnotatorProgress, BatchProgress
from backend.annotate.batches.requests import BatchRequest, Name
from backend.annotate.batches.selectors import request_of


class OpenIn(BatchRequest):
    plan: str | None = Field(
        default=None, description="The hash of the plan you agreed to: another one is refused then."
    )


class ExpectedOut(Schema):
    right: float = Field(description="How probable it is that an annotator is right about a theme.")
    n: int = Field(description="Answers in all.")
    asked_again: float = Field(description="Share of the items about which somebody else is asked too.")
    open_in_the_end: float = Field(
        description="Share of the items that reach the maximum without being sure."
    )


class PlanOut(Schema):
    plan: str
    edition: int
    shares: dict[str, list[str]] = Field(description="Items by log-in name, in the annotator's order.")
    left_out: int = Field(
        description="Items that were not dealt because the codebook asks nothing about them."
    )

    first_answers: int
    most_answers: int = Field(description="As many as the first, except in an adaptive overlap.")
    expected: list[ExpectedOut] = Field(description="For an adaptive overlap: one row for each competence.")

    @classmethod
    def of(cls, plan: BatchPlan) -> PlanOut:
        return cls(
            plan=plan.hash,
            edition=plan.edition.number,
            shares={share.annotator.username: list(share.items) for share in plan.shares},
            left_out=plan.left_out,
            first_answers=plan.n_assigned,
            most_answers=plan.most_answers,
            expected=[ExpectedOut.model_validate(each) for each in plan.expected],
        )


class CountsOut(Schema):
    assigned: int
    submitted: int
    skipped: int
    left: int
    flagged: int
    in_quarantine: int
    fixable: int

    @classmethod
    def of(cls, counts: Counts) -> CountsOut:
        return cls.model_validate(counts)


class ShareOut(Schema):
    annotator: str
    is_withdrawn: bool
    counts: CountsOut
    median_seconds: float | None
    last_activity: datetime | None

    @classmethod
    def of(cls, row: AnnotatorProgress) -> ShareOut:
        return cls(
            annotator=row.annotator.username,
            is_withdrawn=row.is_withdrawn,
            counts=CountsOut.of(row.counts),
            median_seconds=row.median_seconds,
            last_activity=row.last_activity,
        )


class BatchOut(Schema):
    id: int
    name: str
    kind: str
    state: str
    edition: int
    seed: int
    request: BatchRequest | None = Field(description="What was asked for when the batch was opened.")
    plan: str = Field(description="The hash of the plan that was opened.")
    due_on: date | None
    is_overdue: bool
    opened_at: datetime
    counts: CountsOut
    with_nobody: int
    median_seconds: float | None
    annotators: list[ShareOut]

    @classmethod
    def of(cls, progress: BatchProgress) -> BatchOut:
        batch = progress.batch
        return cls(
            id=batch.pk,
            name=batch.name,
            kind=batch.kind,
            state=batch.state,
            edition=batch.edition.number,
            seed=batch.seed,
            request=request_of(batch),
            plan=batch.plan_hash,
            due_on=batch.due_on,
            is_overdue=progress.is_overdue,
            opened_at=batch.opened_at,
            counts=CountsOut.of(progress.counts),
            with_nobody=progress.with_nobody,
            median_seconds=progress.median_seconds,
            annotators=[ShareOut.of(row) for row in progress.annotators],
        )


class NameIn(Schema):
    name: Name


class DueDateIn(Schema):
    due_on: date | None


class HandOverIn(Schema):
    annotator: str = Field(description="Log-in name of who has the items now.")
    to: list[str] = Field(description="Log-in names of who takes them over.")
    n: int | None = Field(default=None, ge=1, description="The last n of their share; all if none.")


class WithdrawIn(Schema):
    annotator: str
    hand_over_to: list[str] = Field(default_factory=list)


class RestoreIn(Schema):
    annotator: str
