"""Stops what the ML backend does for a job as soon as somebody cancels it, whoever follows the job, or nobody."""

from __future__ import annotations

from backend.core.jobs.models import Job
from backend.core.ml_tasks.folders import task_folders


def stop_tasks(job_id: int) -> None:
    """The processes look for this themselves. Who tries the job again takes it away first."""
    job = Job.objects.select_related("study").filter(pk=job_id).exclude(study=None).first()
    if job is None or job.study is None:
        return
    for folder in task_folders(job.study, job_id):
        if not folder.result.exists():
            folder.heartbeat.unlink(missing_ok=True)
            folder.cancel.touch()
