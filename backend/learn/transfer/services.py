"""What starts, stops and resumes transfer studies."""

from __future__ import annotations

from datetime import datetime

import msgspec
from django.db import transaction
from django.db.models import Max

from annotation.release.read import ReleaseBroken
from backend.core.accounts.models import User
from backend.core.jobs.services import enqueue_job, request_cancel
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.learn.transfer.errors import NotStopped, NotUnderWay, StudyUnusable, TransferFinished
from backend.learn.transfer.models import TransferRun
from backend.learn.transfer.requests import TransferIn, transfer_study
from learning.transfer.reading import prepare
from learning.transfer.study import TransferStudy
from learning.transfer.tasks import TaskUnusable

RUN_TRANSFER = "run_transfer_study"


def start_transfer(*, study: Study, asked: TransferIn, actor: User, now: datetime) -> TransferRun:
    """All its tasks are read and split first, so that what cannot be learned is refused at once."""
    made = transfer_study(asked, study, actor)
    _refuse_unusable(made)
    with transaction.atomic():
        Study.objects.select_for_update().get(pk=study.pk)
        newest: int | None = study.transfer_runs.aggregate(newest=Max("number"))["newest"]
        run = TransferRun.objects.create(
            study=study,
            number=(newest or 0) + 1,
            name=made.name,
            request=msgspec.json.encode(made).decode(),
            created_by=actor,
            created_at=now,
        )
        _enqueue(run, actor, now)
        summary = f"Started transfer study {run.number}, “{run.name}”, of {len(made.tasks)} tasks"
        record_event(study=study, actor=actor, summary=summary, now=now)
    return run


def _refuse_unusable(made: TransferStudy) -> None:
    try:
        prepare(made)
    except (TaskUnusable, ReleaseBroken) as error:
        raise StudyUnusable(str(error)) from error


@transaction.atomic
def stop_transfer(*, run: TransferRun, actor: User, now: datetime) -> TransferRun:
    """What is trained stays."""
    run = _lock_run(run)
    if not run.is_under_way or run.job is None:
        raise NotUnderWay(run.number)
    request_cancel(job_id=run.job.pk, now=now)
    record_event(study=run.study, actor=actor, summary=f"Stopped transfer study {run.number}", now=now)
    return _lock_run(run)


@transaction.atomic
def resume_transfer(*, run: TransferRun, actor: User, now: datetime) -> TransferRun:
    """Goes on from the models that are trained, after a stop or a failure."""
    run = _lock_run(run)
    if run.is_finished:
        raise TransferFinished(run.number)
    if run.is_under_way:
        raise NotStopped(run.number)
    _enqueue(run, actor, now)
    record_event(study=run.study, actor=actor, summary=f"Went on with transfer study {run.number}", now=now)
    return run


def _enqueue(run: TransferRun, actor: User, now: datetime) -> None:
    run.job = enqueue_job(
        kind=RUN_TRANSFER, arguments={"run": run.number}, study=run.study, created_by=actor, now=now
    )
    run.save(update_fields=["job"])


def _lock_run(run: TransferRun) -> TransferRun:
    TransferRun.objects.select_for_update().get(pk=run.pk)
    return TransferRun.objects.select_related("study", "job").get(pk=run.pk)
