"""Has the ML backend run a transfer study and keeps what it found: safe to run twice, after any kill."""

from __future__ import annotations

import shutil

from django.urls import reverse
from django.utils import timezone

from backend.core.jobs.context import JobContext
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject
from backend.core.ml_tasks.folders import task_folder
from backend.core.ml_tasks.following import TaskFollower
from backend.core.ml_tasks.working import work_on
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.learn.transfer.models import TransferRun
from backend.learn.transfer.selectors import run_numbered
from backend.learn.transfer.services import RUN_TRANSFER
from corpus.atomic_files import replace_file
from learning.tasks.contract import TransferRequest
from learning.transfer.results import read_results

STUDY_FILE = "study.json"


@job_handler(RUN_TRANSFER)
def run_transfer_study(context: JobContext, arguments: JsonObject) -> Json:
    study = Study.objects.get(jobs=context.job_id)
    run = run_numbered(study, int(str(arguments["run"])))
    if not run.is_finished:
        _run(context, run)
    return {
        "summary": f"Transfer study {run.number}, “{run.name}”, is done.",
        "url": reverse("transfer:detail", args=[study.slug, run.number]),
        "run": run.number,
    }


def _run(context: JobContext, run: TransferRun) -> None:
    run.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_file(run.folder / STUDY_FILE, run.request.encode())
    folder = task_folder(run.study, context.job_id)
    request = TransferRequest(run_folder=str(run.folder), study=STUDY_FILE)
    result = work_on(context, folder, request, TaskFollower(context, folder, unit="models"))
    read_results(run.folder / result.results)
    now = timezone.now()
    with context.fenced_transaction():
        run.results = (run.folder / result.results).read_text()
        run.pairs = (run.folder / result.pairs).read_text()
        run.finished_at = now
        run.save(update_fields=["results", "pairs", "finished_at"])
        summary = f"Transfer study {run.number}, “{run.name}”, is done"
        record_event(study=run.study, actor=run.created_by, summary=summary, now=now)
    shutil.rmtree(run.folder, ignore_errors=True)
