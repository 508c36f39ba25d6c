"""Deletes a study: its projects in Label Studio first, then its rows, then its files."""

from __future__ import annotations

from django.utils import timezone

from backend.annotate.judgments.models import AnnotationVersion
from backend.annotate.sync.models import Project
from backend.core.accounts.models import User
from backend.core.jobs.context import JobContext
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject
from backend.core.studies.models import Study
from backend.operate.erasure.models import StudyDeletion
from backend.operate.erasure.services import erase_study
from backend.operate.lifecycle.services import DELETE_STUDY, DeletionJob

STEPS = 3


@job_handler(DELETE_STUDY)
def delete_study(context: JobContext, arguments: JsonObject) -> Json:
    """What a crash left goes at the next try. Without Label Studio nothing is deleted."""
    job = DeletionJob.model_validate(arguments)
    study = Study.objects.filter(pk=job.study, deletion_asked_at__isnull=False).first()
    if study is None:
        is_gone = StudyDeletion.objects.filter(job_id=context.job_id).exists()
        return {"summary": f"{job.name} is {'deleted' if is_gone else 'kept'}."}
    context.report(0, STEPS, "steps", "Deleting projects in Label Studio")
    _erase_projects(study)
    done = 0

    def report(step: str) -> None:
        nonlocal done
        done += 1
        context.report(done, STEPS, "steps", step)

    erase_study(
        study=study,
        actor=User.objects.filter(pk=job.actor).first(),
        now=timezone.now(),
        job_id=context.job_id,
        report=report,
        writing=context.fenced_transaction,
    )
    return {"summary": f"{job.name} is deleted."}


def _erase_projects(study: Study) -> None:
    known = {"assignment__batch__study": study}
    if Project.objects.filter(**known).exists() or AnnotationVersion.objects.filter(**known).exists():
        from backend.annotate.label_studio.client import connect  # the client takes long to load
        from backend.annotate.sync.erasure import erase_projects

        erase_projects(study, connect())
