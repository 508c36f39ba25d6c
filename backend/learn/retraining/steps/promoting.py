"""The fourth step: the model that met the promotion rule enters service, once."""

from __future__ import annotations

from django.utils import timezone

from backend.core.jobs.context import JobContext
from backend.learn.models.errors import ReportOutdated
from backend.learn.models.models import Adapter, AdapterEvent, PromotionReport
from backend.learn.models.selectors import adapter_in_service
from backend.learn.models.services import promote as enter_service
from backend.learn.retraining.errors import StepMissed
from backend.learn.retraining.models import RetrainingRun, RunState, StepKind
from backend.learn.retraining.steps.promotion import examine, judge, learnt_by
from backend.learn.retraining.steps.values import Done, Ending

TAKEN_OUT = (
    "its model met the rule and entered service; a researcher took it out of service before the run ended."
)


def promote(run: RetrainingRun, context: JobContext) -> Done:
    """If somebody put another model into service meanwhile, it is first examined again, against that one."""
    adapter, report = learnt_by(run), run.promotion_report
    if report is None:
        raise StepMissed(run.number, StepKind.PROMOTION.label)
    if not has_entered(adapter, report):
        try:
            _enter(run, adapter, report, context)
        except ReportOutdated:
            report = examine(run, adapter, context)
            if not report.passed:
                return judge(report)
            _enter(run, adapter, report, context)
    return taken_out(adapter) or Done(f"Adapter {adapter.number} is in service.")


def has_entered(adapter: Adapter, report: PromotionReport) -> bool:
    """By this very report: what a researcher did afterwards is not undone by a second attempt."""
    return AdapterEvent.objects.filter(adapter=adapter, promotion_report=report).exists()


def taken_out(adapter: Adapter) -> Done | None:
    """How the run ends if its model entered service and somebody changed that since."""
    if adapter_in_service(adapter.study) == adapter:
        return None
    ending = Ending(RunState.KEPT_OUT, TAKEN_OUT)
    return Done(f"Adapter {adapter.number} entered service and is no longer in it.", ending)


def _enter(run: RetrainingRun, adapter: Adapter, report: PromotionReport, context: JobContext) -> None:
    with context.fenced_transaction():
        enter_service(adapter=adapter, report=report, actor=run.started_by, now=timezone.now())
