"""The last step: what annotators have not begun gets the suggestions of the new model."""

from __future__ import annotations

from django.utils import timezone

from backend.adapters.examining import verdict_of
from backend.jobs.context import JobContext
from backend.prelabels.services import push_everywhere
from backend.retraining.errors import StepMissed
from backend.retraining.gate_words import gain_words
from backend.retraining.models import RetrainingRun, RunState, StepKind
from backend.retraining.steps.values import Done, Ending


def prelabel(run: RetrainingRun, context: JobContext) -> Done:
    """Entering service has asked for it already; asking again finds the jobs that wait, and tells of them."""
    report = run.gate_report
    if report is None:
        raise StepMissed(run.number, StepKind.GATE.label)
    with context.fenced_transaction():
        jobs = push_everywhere(study=run.study, actor=run.started_by, now=timezone.now())
    found = gain_words(report, verdict_of(report))
    return Done(
        _pushed([job.pk for job in jobs]), Ending(RunState.PROMOTED, f"{found} and is in service now.")
    )


def _pushed(jobs: list[int]) -> str:
    if not jobs:
        return "No open batch gets suggestions."
    numbers = ", ".join(str(number) for number in jobs)
    batches = "1 open batch" if len(jobs) == 1 else f"{len(jobs)} open batches"
    return f"The suggestions of {batches} are brought in line by job{'s' if len(jobs) > 1 else ''} {numbers}."
