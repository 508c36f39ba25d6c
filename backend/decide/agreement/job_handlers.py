"""Has agreement measured by the ML backend: files go there and come back, the job row keeps the truth."""

from __future__ import annotations

import time
from datetime import timedelta

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError

from annotation.agreement.registry import method_version
from backend.annotate.batches.models import Batch
from backend.celery import app
from backend.core.accounts.models import User
from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobPostponed
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.models import Job
from backend.core.jobs.values import Json, JsonObject
from backend.core.ml_tasks.following import UNANSWERED, waiting_note, was_taken
from backend.decide.agreement.errors import MeasuringFailed, ReportUnreadable
from backend.decide.agreement.files import ReportFiles, agreement_folder
from backend.decide.agreement.kept_inputs import JobInputs, forget_inputs, inputs_for_job
from backend.decide.agreement.models import AgreementReport
from backend.decide.agreement.queue import MEASURE_AGREEMENT, MeasureJob
from backend.decide.agreement.reading import can_be_kept
from backend.decide.agreement.services import Precision, keep_report, nothing_to_compare
from learning.tasks.tries import is_being_made

ML_TASK = "ml.measure_agreement"
# A job asks again with each sweep, so an old message would only repeat what a newer one says.
MESSAGE_LIVES = timedelta(seconds=30)
SUSPICIOUS_WAIT = timedelta(minutes=1)
LOOK_EVERY_SECONDS = 0.1


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
    folder = agreement_folder(batch.study)
    files = ReportFiles(folder, inputs.hash, job.resamples, job.seed, context.job_id)
    if not files.report.exists():
        _ask(context, files, inputs, job)
        try:
            _wait(context, files)
        except MeasuringFailed:
            forget_inputs(batch, context.job_id)
            raise
    forget_inputs(batch, context.job_id)
    measures = _measures(files, inputs)
    with context.fenced_transaction():
        report = keep_report(
            batch=batch,
            inputs=inputs,
            measures=measures,
            precision=Precision(job.resamples, job.seed),
            actor=User.objects.filter(pk=job.actor).first() if job.actor else None,
            now=timezone.now(),
        )
    return _outcome(report, f"“{batch.name}” is measured.")


def _ask(context: JobContext, files: ReportFiles, inputs: JobInputs, job: MeasureJob) -> None:
    if inputs.content is not None:
        files.write_inputs(inputs.content)
    message = {
        "kind": str(inputs.kind),
        "inputs": str(files.inputs),
        "report": str(files.report),
        "failure": str(files.failure),
        "resamples": job.resamples,
        "seed": job.seed,
        "job_id": context.job_id,
    }
    try:
        app.send_task(ML_TASK, kwargs=message, expires=MESSAGE_LIVES.total_seconds(), retry=False)
    except (OperationalError, OSError) as problem:
        context.report(done=0, note="Waiting for the message broker")
        raise JobPostponed("No message reaches the ML backend.") from problem


def _wait(context: JobContext, files: ReportFiles) -> None:
    """A moment, because most reports take no longer; then in the queue, where waiting costs nothing."""
    deadline = time.monotonic() + settings.ML_PATIENCE.total_seconds()
    while not files.report.exists():
        is_taken = _report_waiting(context, files)
        reason = files.take_failure()
        if reason is not None:
            raise MeasuringFailed(reason)
        if time.monotonic() >= deadline:
            if not is_taken and _waits_for_long(context):
                context.report(done=0, note=UNANSWERED)
            raise JobPostponed("The ML backend has not answered yet.")
        time.sleep(LOOK_EVERY_SECONDS)


def _report_waiting(context: JobContext, files: ReportFiles) -> bool:
    """Whether the ML backend has taken it and measures."""
    if not is_being_made(files.report):
        context.report(done=0, note=waiting_note(context))
        return False
    was_taken(context)
    context.report(done=0, note="The ML backend is measuring")
    return True


def _waits_for_long(context: JobContext) -> bool:
    asked_at = Job.objects.values_list("created_at", flat=True).get(pk=context.job_id)
    return timezone.now() - asked_at >= SUSPICIOUS_WAIT


def _measures(files: ReportFiles, inputs: JobInputs) -> str:
    content = files.report.read_text()
    if not can_be_kept(inputs.kind, content):
        files.report.unlink(missing_ok=True)
        raise ReportUnreadable
    return content


def _outcome(report: AgreementReport, summary: str) -> Json:
    return {
        "summary": summary,
        "url": reverse("agreement:report", args=[report.study.slug, report.pk]),
        "report": report.pk,
    }
