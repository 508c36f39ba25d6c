"""What calls about retraining take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Field, Schema

from backend.core.studies.models import Study
from backend.learn.retraining.models import (
    USUAL_LEARNER,
    RetrainingRun,
    RetrainingSchedule,
    RunState,
    ScheduleKind,
    StepKind,
)
from backend.learn.retraining.selectors import coming_occasion, new_final_judgments
from backend.learn.retraining.services import Plan
from backend.learn.retraining.words import sentence


class ScheduleIn(Schema):
    """Of `hour`, `weekday` and `enough` only those count that the kind asks for."""

    is_on: bool = True
    kind: ScheduleKind = ScheduleKind.NIGHTLY
    hour: int = Field(default=2, ge=0, le=23, description="On the clock of the instance.")
    weekday: int = Field(default=6, ge=0, le=6, description="Monday is 0.")
    enough: int = Field(default=100, ge=1, le=1_000_000, description="New final judgments that start a run.")

    learner: str = Field(default=USUAL_LEARNER, max_length=60)
    options: dict[str, Any] = Field(
        default_factory=dict, description="Of the learner; what is not given keeps its default."
    )
    continues: bool = Field(
        default=False,
        description="Whether training begins from the adapter in service, if it is of this learner.",
    )

    def plan(self) -> Plan:
        return Plan(**dict(self))


class ScheduleOut(Schema):
    """`next_at` is empty if it is off or waits for judgments."""

    is_on: bool
    kind: ScheduleKind
    hour: int
    weekday: int
    enough: int
    learner: str
    options: dict[str, Any]
    continues: bool
    next_at: datetime | None
    new_final_judgments: int


class StepOut(Schema):
    kind: StepKind
    begun_at: datetime
    done_at: datetime | None
    words: str


class RunOut(Schema):
    number: int
    state: RunState
    words: str
    occasion: str
    release: int | None
    adapter: int | None
    promotion_report: int | None
    job: int
    started_by: str | None
    started_at: datetime
    finished_at: datetime | None
    steps: list[StepOut]


def schedule_out(study: Study, schedule: RetrainingSchedule | None, *, now: datetime) -> ScheduleOut:
    """Without a row it is off."""
    coming = coming_occasion(schedule, now=now) if schedule else None
    shown = schedule or ScheduleIn(is_on=False)
    return ScheduleOut(
        is_on=shown.is_on,
        kind=ScheduleKind(shown.kind),
        hour=shown.hour,
        weekday=shown.weekday,
        enough=shown.enough,
        learner=shown.learner,
        options=shown.options,
        continues=shown.continues,
        next_at=coming.at if coming else None,
        new_final_judgments=new_final_judgments(study),
    )


def run_out(run: RetrainingRun) -> RunOut:
    return RunOut(
        number=run.number,
        state=RunState(run.state),
        words=sentence(run.words),
        occasion=run.occasion,
        release=run.release.number if run.release else None,
        adapter=run.adapter.number if run.adapter else None,
        promotion_report=run.promotion_report_id,
        job=run.job_id,
        started_by=run.started_by.username if run.started_by else None,
        started_at=run.started_at,
        finished_at=run.finished_at,
        steps=[
            StepOut(kind=StepKind(step.kind), begun_at=step.begun_at, done_at=step.done_at, words=step.words)
            for step in run.steps.all()
        ],
    )
