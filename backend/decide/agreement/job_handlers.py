"""Has agreement measured by the ML backend: files go there and come back, the job row keeps the truth."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone

from annotation.agreement.registry import method_version
from backend.annotate.batches.models import Batch
from backend.core.accounts.models import User
from backend.core.jobs.context import JobContext
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject
from backend.core.ml_tasks.folders import task_folder
from backend.core.ml_tasks.working import TaskFailed, work_on
from backend.decide.agreement.errors import ReportUnreadable
from backend.decide.agreement.kept_inputs import JobInputs, forget_inputs, inputs_for_job
from backend.decide.agreement.models import AgreementReport, ReportKind
from backend.decide.agreement.queue import MEASURE_AGREEMENT, MeasureJob
from backend.decide.agreement.reading import can_be_kept
from backend.decide.agreement.services import Precision, keep_report, nothing_to_compare
from learning.tasks.contract import AgreementRequest


@job_handler(MEASURE_AGREEMENT)
def measure_agreement(context: JobContext, arguments: JsonObject) -> Json:
    """Each attempt asks whether answers came since, so what it keeps is true of the moment it ends."""
    job = MeasureJob.model_validate(arguments)
    batch = Batch.objects.select_related("study", "edition").filter(pk=job.batch).first()
    if batch is None:
        return {"summary": "The batch was discarded: there is nothing to measure."}
    inputs = inputs_for_job(batch, context.job_id)
    if inputs.is_empty:
        raise nothing_to_compare(batch)
    known = batch.agreement_reports.filter(
        inputs_hash=inputs.hash, resamples=job.resamples, seed=job.seed, method=method_version()
    ).first()
    if known is not None:
        forget_inputs(batch, context.job_id)
        return _outcome(known, "Nothing has changed since this was measured.")
    try:
        measures = _measure(context, batch, inputs, job)
    except (TaskFailed, ReportUnreadable):
        forget_inputs(batch, context.job_id)
        raise
    with context.fenced_transaction():
        report = keep_report(
            batch=batch,
            inputs=inputs,
            measures=measures,
            precision=Precision(job.resamples, job.seed),
            actor=User.objects.filter(pk=job.actor).first() if job.actor else None,
            now=timezone.now(),
        )
    forget_inputs(batch, context.job_id)
    return _outcome(report, f"“{batch.name}” is measured.")


def _measure(context: JobContext, batch: Batch, inputs: JobInputs, job: MeasureJob) -> str:
    folder = task_folder(batch.study, context.job_id)
    request = AgreementRequest(
        answers=str(inputs.answers),
        is_retest=inputs.kind == ReportKind.RETEST,
        resamples=job.resamples,
        seed=job.seed,
    )
    result = work_on(context, folder, request)
    measures = (folder.path / result.report).read_text()
    if not can_be_kept(inputs.kind, measures):
        raise ReportUnreadable
    return measures


def _outcome(report: AgreementReport, summary: str) -> Json:
    return {
        "summary": summary,
        "url": reverse("agreement:report", args=[report.study.slug, report.pk]),
        "report": report.pk,
    }
