"""Where a study's orders lie."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from annotation.orders.folder import OrderFolder
from backend.studies.models import Study


def order_folder(study: Study, job_id: int, step: str = "") -> OrderFolder:
    """One for each job, or for each step of a job that orders several things. Named by the study's row too, so that a
    new study never finds what is left of a deleted one."""
    name = f"job-{job_id}-{step}" if step else f"job-{job_id}"
    return OrderFolder(Path(settings.ML_DIR) / f"{study.pk}-{study.slug}" / name)
