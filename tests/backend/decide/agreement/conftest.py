"""What tests of agreement share: folders of their own, a judged batch, and an ML backend that answers at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from backend.annotate.batches.models import Batch
from backend.core.jobs.models import Job
from backend.core.jobs.runner import run_job
from backend.decide.agreement.files import ReportFiles, agreement_folder
from backend.decide.agreement.inputs import inputs_of
from backend.decide.agreement.models import AgreementReport
from backend.decide.agreement.queue import MeasureJob
from backend.decide.agreement.services import request_measurement
from ml_backend.agreement import AgreementTask, leave_report
from tests.backend.decide.agreement.scene import HASTY, ORDINARY, STEADY, judged_batch
from tests.given_work import CastAtWork

Measuring = Callable[[Batch], AgreementReport]


@pytest.fixture(autouse=True)
def quick(settings: Settings, tmp_path: Path) -> None:
    """Nobody waits for an ML backend that is not there."""
    settings.AGREEMENT_DIR = tmp_path / "agreement"
    settings.ML_PATIENCE = timedelta(0)


@pytest.fixture
def overlap(work: CastAtWork) -> Batch:
    cast = work.cast
    return judged_batch(work, work.items, {cast.amal: STEADY, cast.bea: ORDINARY, cast.chen: HASTY})


def files_of(job: Job) -> ReportFiles:
    """Where the files of a measurement lie, on the answers as they are now."""
    asked = MeasureJob.model_validate(job.arguments)
    batch = Batch.objects.get(pk=asked.batch)
    folder = agreement_folder(batch.study)
    return ReportFiles(folder, inputs_of(batch).hash, asked.resamples, asked.seed, job.pk)


def work_as_ml_backend(job: Job) -> None:
    """Does what the message asks the ML backend for."""
    files, asked = files_of(job), MeasureJob.model_validate(job.arguments)
    kind = str(inputs_of(Batch.objects.get(pk=asked.batch)).kind)
    leave_report(AgreementTask(kind, files.inputs, files.report, files.failure, asked.resamples, asked.seed))


@pytest.fixture
def measured(work: CastAtWork) -> Measuring:
    """Measures a batch from the request to the kept report."""

    def measure(batch: Batch) -> AgreementReport:
        job = request_measurement(batch=batch, actor=work.cast.rosa, now=timezone.now())
        run_job(job_id=job.pk, clock=timezone.now)
        work_as_ml_backend(job)
        run_job(job_id=job.pk, clock=timezone.now)
        job.refresh_from_db()
        assert job.result is not None, job.error
        return AgreementReport.objects.get(pk=job.result["report"])

    return measure
