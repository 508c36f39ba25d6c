"""The last step: what annotators have not begun gets the suggestions of the new model."""

from __future__ import annotations

from backend.core.jobs.context import JobContext
from backend.learn.models.examining import verdict_of
from backend.learn.prelabels.selectors import followed_batches
from backend.learn.retraining.errors import StepMissed
from backend.learn.retraining.models import RetrainingRun, RunState, StepKind
from backend.learn.retraining.steps.promoting import taken_out
from backend.learn.retraining.steps.promotion import learnt_by
from backend.learn.retraining.steps.values import Done, Ending
from backend.learn.retraining.words import gain_words


def prelabel(run: RetrainingRun, context: JobContext) -> Done:
    """Entering service has asked for it, in the same transaction: here it is said, and the run ends."""
    report = run.promotion_report
    if report is None:
        raise StepMissed(run.number, StepKind.PROMOTION.label)
    if (gone := taken_out(learnt_by(run))) is not None:
        return gone
    n_batches = len(followed_batches(run.study))
    found = gain_words(report, verdict_of(report))
    return Done(_describe_followed(n_batches), Ending(RunState.PROMOTED, f"{found} and is in service now."))


def _describe_followed(n_batches: int) -> str:
    if not n_batches:
        return "No open batch gets suggestions."
    batches = "1 open batch" if n_batches == 1 else f"{n_batches} open batches"
    return f"Jobs of their own bring the suggestions of {batches} in line with the new model."
