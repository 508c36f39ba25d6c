"""What tests of agreement share: folders of their own, a judged batch, and an ML backend that answers at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.agreement.files import AgreementFileUnreadable
from backend.annotate.batches.models import Batch
from backend.core.jobs.models import Job
from backend.core.jobs.runner import run_job
from backend.core.ml_tasks.folders import task_folder
from backend.decide.agreement.models import AgreementReport
from backend.decide.agreement.services import request_measurement
from learning.tasks.contract import AgreementRequest
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter
from ml_backend.failures import reason_of
from ml_backend.worker.kinds import work_on
from tests.backend.decide.agreement.fixtures import HASTY, ORDINARY, STEADY, judged_batch
from tests.batch_fixtures import CastAtWork

Measuring = Callable[[Batch], AgreementReport]


@pytest.fixture(autouse=True)
def quick(settings: Settings, tmp_path: Path) -> None:
    """Nobody waits for an ML backend that is not there."""
    settings.AGREEMENT_DIR, settings.ML_DIR = tmp_path / "agreement", tmp_path / "ml"
    settings.ML_PATIENCE = timedelta(0)


@pytest.fixture
def overlap(work: CastAtWork) -> Batch:
    cast = work.cast
    return judged_batch(work, work.items, {cast.amal: STEADY, cast.bea: ORDINARY, cast.chen: HASTY})


def folder_of(job: Job) -> TaskFolder:
    assert job.study is not None
    return task_folder(job.study, job.pk)


def answers_of(job: Job) -> Path:
    """Where the answers lie that the ML backend is asked about."""
    request = folder_of(job).read_request()
    assert isinstance(request, AgreementRequest)
    return Path(request.answers)


def work_as_ml_backend(job: Job) -> None:
    """Does what the message asks the ML backend for."""
    folder = folder_of(job)
    try:
        folder.write_result(work_on(folder, folder.read_request(), ProgressWriter(folder.progress)))
    except AgreementFileUnreadable as problem:
        folder.write_failure(reason_of(problem))


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
