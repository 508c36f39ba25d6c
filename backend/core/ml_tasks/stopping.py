"""Stops what the ML backend does for a job as soon as somebody cancels it, whoever follows the job, or nobody."""

from __future__ import annotations

from backend.core.jobs.models import Job
from backend.core.ml_tasks.folders import order_folders


def stop_orders(job_id: int) -> None:
    """The processes look for this themselves. Who tries the job again takes it away first."""
    job = Job.objects.select_related("study").filter(pk=job_id).exclude(study=None).first()
    if job is None or job.study is None:
        return
    for folder in order_folders(job.study, job_id):
        if not folder.answer.exists():
            folder.wanted.unlink(missing_ok=True)
            folder.cancel.touch()
