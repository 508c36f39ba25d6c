"""Cancelling ends the process of the ML backend at once, whoever follows the job, or nobody."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.utils import timezone
from pytest_django.fixtures import Settings

from backend.core.jobs.leases import claim_job
from backend.core.jobs.models import JobState
from backend.core.jobs.services import request_cancel, retry_job
from backend.core.ml_tasks.folders import task_folders
from ml_backend.processes import ExitCode
from tests.backend.learn.models.fixtures import ask_for_training, folder_of, release_in, run
from tests.cast import Cast

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
# It looks five times a second; the rest is for a busy machine.
AT_ONCE_SECONDS = 10


@pytest.mark.parametrize("state", [JobState.QUEUED, JobState.RUNNING])
def test_the_process_ends_while_nobody_follows(
    cast: Cast, settings: Settings, tmp_path: Path, state: JobState
) -> None:
    settings.RELEASES_DIR, settings.ML_DIR = tmp_path / "releases", tmp_path / "ml"
    settings.ML_PATIENCE = timedelta(0)
    job = ask_for_training(release_in(cast.study, tmp_path / "made"), "tfidf-logistic")
    assert run(job).state == JobState.QUEUED
    if state == JobState.RUNNING:
        # By a worker that was killed: its lease still runs.
        assert claim_job(job_id=job.pk, now=timezone.now()) is not None
    folder = folder_of(job)
    command = [sys.executable, "-m", "ml_backend", "task", str(folder.path)]
    with subprocess.Popen(command, cwd=django_settings.ROOT, stdin=subprocess.PIPE) as process:
        while not (folder.is_worked_on() and folder.pid.exists()):
            assert process.poll() is None
            time.sleep(0.05)
        request_cancel(job_id=job.pk, now=timezone.now())
        assert process.wait(timeout=AT_ONCE_SECONDS) == ExitCode.STOPPED
    assert folder.cancel.exists() and not folder.result.exists()
    job.refresh_from_db()
    assert job.cancel_requested
    if state == JobState.QUEUED:
        assert job.state == JobState.CANCELLED
        # Tried again, it is wanted again.
        retry_job(job_id=job.pk, now=timezone.now())
        assert run(job).state == JobState.QUEUED
        assert folder.heartbeat.exists() and not folder.cancel.exists()


def test_only_the_tasks_of_that_job_are_stopped(cast: Cast, settings: Settings, tmp_path: Path) -> None:
    settings.RELEASES_DIR, settings.ML_DIR = tmp_path / "releases", tmp_path / "ml"
    job = ask_for_training(release_in(cast.study, tmp_path / "made"))
    steps = [folder_of(job), folder_of(job, "gate"), folder_of(job, "train")]
    other = folder_of(job).path.with_name(f"job-{job.pk}0")
    for path in (*(step.path for step in steps), other):
        path.mkdir(parents=True)
    steps[1].result.write_bytes(b"{}")
    assert len(task_folders(cast.study, job.pk)) == 3
    request_cancel(job_id=job.pk, now=timezone.now())
    assert [step.cancel.exists() for step in steps] == [True, False, True]
    assert not (other / "cancel").exists()
