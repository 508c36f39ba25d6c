"""The fourth step: the model that passed the gate enters service, once."""

from __future__ import annotations

from django.utils import timezone

from backend.adapters.errors import GateOutdated
from backend.adapters.models import Adapter, AdapterEvent, GateReport
from backend.adapters.services import promote as enter_service
from backend.jobs.context import JobContext
from backend.retraining.errors import StepMissed
from backend.retraining.models import RetrainingRun, StepKind
from backend.retraining.steps.gating import examine, judged, learnt_by
from backend.retraining.steps.values import Done


def promote(run: RetrainingRun, context: JobContext) -> Done:
    """If somebody put another model into service meanwhile, the gate first looks again, against that one."""
    adapter, report = learnt_by(run), run.gate_report
    if report is None:
        raise StepMissed(run.number, StepKind.GATE.label)
    if not has_entered(adapter, report):
        try:
            _enter(run, adapter, report, context)
        except GateOutdated:
            report = examine(run, adapter, context)
            if not report.passed:
                return judged(report)
            _enter(run, adapter, report, context)
    return Done(f"Adapter {adapter.number} is in service.")


def has_entered(adapter: Adapter, report: GateReport) -> bool:
    """By this very report: what a researcher did afterwards is not undone by a second attempt."""
    return AdapterEvent.objects.filter(adapter=adapter, gate_report=report).exists()


def _enter(run: RetrainingRun, adapter: Adapter, report: GateReport, context: JobContext) -> None:
    with context.fenced_transaction():
        enter_service(adapter=adapter, report=report, actor=run.started_by, now=timezone.now())
