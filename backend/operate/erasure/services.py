"""Removes a study for good: rows, corpora and files."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotation.release.write_protection import remove_folder
from backend.annotate.judgments.models import AnnotationVersion
from backend.core.accounts.models import User
from backend.core.jobs.selectors import active_jobs
from backend.core.ml_tasks.folders import tasks_home
from backend.core.studies.models import Study
from backend.decide.agreement.kept_inputs import agreement_folder
from backend.decide.releases.models import releases_folder
from backend.design.corpora.errors import CorporaError
from backend.design.corpora.files import files_folder
from backend.learn.models.models import adapters_folder
from backend.operate.erasure.holdings import holdings
from backend.operate.erasure.models import StudyDeletion
from backend.publish.labelling.models import labelled_folder
from backend.publish.reports.models import reports_folder


class StudyBusy(CorporaError):
    def __init__(self, study: Study) -> None:
        super().__init__(f"Jobs of “{study.name}” are still queued or running: stop them first.")


def refuse_busy_study(study: Study) -> None:
    if active_jobs(study.pk).exists():
        raise StudyBusy(study)


Writing = Callable[[], AbstractContextManager[None]]


def erase_study(
    *,
    study: Study,
    actor: User | None = None,
    now: datetime | None = None,
    job_id: int | None = None,
    report: Callable[[str], None] = lambda step: None,
    writing: Writing = transaction.atomic,
) -> None:
    """The directories go after the rows; what a crash leaves of them belongs to no study. A line of it stays."""
    refuse_busy_study(study)
    directories = [corpus.directory for corpus in study.corpora.all()]
    directories += [files_folder(study), agreement_folder(study), releases_folder(study)]
    directories += [adapters_folder(study), labelled_folder(study), reports_folder(study)]
    directories.append(tasks_home(study))
    report("Deleting rows")
    with writing():
        StudyDeletion.objects.create(
            name=study.name,
            slug=study.slug,
            started_at=study.created_at,
            deleted_at=now or timezone.now(),
            deleted_by=actor,
            counts=holdings(study),
            job_id=job_id,
        )
        study.reports.all().delete()
        study.labelling_runs.all().delete()
        AnnotationVersion.objects.filter(assignment__batch__study=study).delete()
        study.samples.all().delete()
        study.delete()
    report("Deleting files")
    for directory in directories:
        remove_folder(directory)
