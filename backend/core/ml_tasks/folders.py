"""Where a study's orders lie."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from backend.core.studies.models import Study
from learning.tasks.folder import OrderFolder


def order_folder(study: Study, job_id: int, step: str = "") -> OrderFolder:
    """One for each job, or for each step of a job that orders several things. Named by the study's row too, so that a
    new study never finds what is left of a deleted one."""
    name = f"job-{job_id}-{step}" if step else f"job-{job_id}"
    return OrderFolder(orders_home(study) / name)


def order_folders(study: Study, job_id: int) -> list[OrderFolder]:
    """Those of all steps of a job that were written so far."""
    found = [orders_home(study) / f"job-{job_id}", *orders_home(study).glob(f"job-{job_id}-*")]
    return [OrderFolder(path) for path in found if path.is_dir()]


def orders_home(study: Study) -> Path:
    """Everything that the ML backend works on for a study, texts too."""
    return Path(settings.ML_DIR) / f"{study.pk}-{study.slug}"
