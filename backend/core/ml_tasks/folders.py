"""Where a study's tasks lie."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from backend.core.jobs.models import Job
from backend.core.studies.models import Study
from learning.tasks.folder import TaskFolder


def task_folder(study: Study, job_id: int, step: str = "") -> TaskFolder:
    """One for each job, or for each step of a job that asks for several things. Named by the study's row too, so that a
    new study never finds what is left of a deleted one."""
    name = f"job-{job_id}-{step}" if step else f"job-{job_id}"
    return TaskFolder(tasks_home(study) / name)


def task_folders(study: Study, job_id: int) -> list[TaskFolder]:
    """Those of all steps of a job that were written so far."""
    found = [tasks_home(study) / f"job-{job_id}", *tasks_home(study).glob(f"job-{job_id}-*")]
    return [TaskFolder(path) for path in found if path.is_dir()]


def tasks_home(study: Study) -> Path:
    """Everything that the ML backend works on for a study, texts too."""
    return Path(settings.ML_DIR) / f"{study.pk}-{study.slug}"


def stop_tasks(job_id: int) -> None:
    """The processes look for this themselves. Who tries the job again takes it away first."""
    job = Job.objects.select_related("study").filter(pk=job_id).exclude(study=None).first()
    if job is None or job.study is None:
        return
    for folder in task_folders(job.study, job_id):
        if not folder.result.exists():
            folder.stop()
