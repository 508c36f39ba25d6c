"""The third step: measures the new model against the one in service."""

from __future__ import annotations

from django.utils import timezone

from backend.core.jobs.context import JobContext
from backend.learn.models.examining import examine_candidate, verdict_of
from backend.learn.models.models import Adapter, PromotionReport
from backend.learn.models.selectors import adapter_in_service
from backend.learn.retraining.errors import StepMissed
from backend.learn.retraining.models import RetrainingRun, RunState, StepKind
from backend.learn.retraining.steps.values import Done, Ending
from backend.learn.retraining.words import gain_words, refusal_words

SAME_MODEL = "what was learnt is the very model in service, so that nothing changes."


def compare_with_service(run: RetrainingRun, context: JobContext) -> Done:
    adapter = learnt_by(run)
    if adapter_in_service(run.study) == adapter:
        return Done("It is the model in service itself.", Ending(RunState.NOTHING_NEW, SAME_MODEL))
    return judge(examine(run, adapter, context))


def learnt_by(run: RetrainingRun) -> Adapter:
    if run.adapter is None:
        raise StepMissed(run.number, StepKind.TRAIN.label)
    return run.adapter


def examine(run: RetrainingRun, adapter: Adapter, context: JobContext) -> PromotionReport:
    """The run names the report that it went by."""
    report = examine_candidate(
        context, adapter=adapter, actor=run.started_by, now=timezone.now(), step=StepKind.PROMOTION
    )
    with context.fenced_transaction():
        RetrainingRun.objects.filter(pk=run.pk).update(promotion_report=report)
    run.promotion_report = report
    return report


def judge(report: PromotionReport) -> Done:
    found = verdict_of(report)
    if report.passed:
        return Done(f"It passes: {gain_words(report, found)}.")
    words = refusal_words(report, found)
    stays = "The one in service stays." if report.incumbent else "None enters service."
    return Done(f"It does not pass: {words}", Ending(RunState.KEPT_OUT, f"{words} {stays}"))
