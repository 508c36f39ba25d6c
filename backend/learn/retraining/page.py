"""What the pages show of runs: how far each step is, and what came of the whole."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from backend.core.jobs.models import JobState
from backend.core.jobs.selectors import job_pace
from backend.core.jobs.views import JobRow
from backend.core.ml_tasks.folders import task_folder
from backend.learn.models.watching import watch_tasks
from backend.learn.retraining.models import RetrainingRun, RunState, RunStep, StepKind
from backend.learn.retraining.words import occasion_words, sentence

TONES = {
    RunState.RUNNING: "info",
    RunState.PROMOTED: "good",
    RunState.KEPT_OUT: "neutral",
    RunState.NOTHING_NEW: "neutral",
    RunState.FAILED: "bad",
    RunState.CANCELLED: "warn",
}
CALLOUTS = {
    RunState.PROMOTED: "good",
    RunState.KEPT_OUT: "info",
    RunState.NOTHING_NEW: "info",
    RunState.FAILED: "error",
    RunState.CANCELLED: "warn",
}


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run as the history lists it."""

    run: RetrainingRun
    tone: str
    occasion: str
    words: str
    took: timedelta | None


@dataclass(frozen=True, slots=True)
class StepRow:
    """One step on a run's page; `row` is missing while the run has not come to it."""

    label: str
    row: RunStep | None
    is_current: bool

    @property
    def is_done(self) -> bool:
        return self.row is not None and self.row.done_at is not None

    @property
    def took(self) -> timedelta | None:
        return self.row.done_at - self.row.begun_at if self.row and self.row.done_at else None


def run_row(run: RetrainingRun) -> RunRow:
    return RunRow(
        run,
        TONES[RunState(run.state)],
        occasion_words(run),
        sentence(run.words),
        run.finished_at - run.started_at if run.finished_at else None,
    )


def run_page(run: RetrainingRun, *, now: datetime) -> dict[str, object]:
    return {
        "run": run,
        "row": run_row(run),
        "job": run.job,
        "job_row": JobRow(run.job, job_pace(run.job, now=now)),
        "steps": _steps(run),
        "watched": watch_tasks(
            task_folder(run.study, run.job_id, StepKind.TRAIN),
            task_folder(run.study, run.job_id, StepKind.PROMOTION),
        ),
        "callout": CALLOUTS.get(RunState(run.state)),
        "can_go_on": run.job.state in (JobState.FAILED, JobState.CANCELLED),
    }


def _steps(run: RetrainingRun) -> list[StepRow]:
    """Steps that a finished run never came to are left out."""
    known = {step.kind: step for step in run.steps.all()}
    rows = [StepRow(kind.label, known.get(kind), _is_current(run, known.get(kind))) for kind in StepKind]
    return [row for row in rows if row.row or not run.is_over]


def _is_current(run: RetrainingRun, step: RunStep | None) -> bool:
    return not run.is_over and step is not None and step.done_at is None
