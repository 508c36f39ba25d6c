"""Where the work of a labelling run lies while it lasts."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from annotation.labelling.work import WorkFolder
from backend.labelling.models import LabellingRun


def work_folder(run: LabellingRun) -> WorkFolder:
    """Among what passes: no backup takes the texts in it along, and a run stages them again."""
    study = run.study
    return WorkFolder(Path(settings.ML_DIR) / f"{study.pk}-{study.slug}" / f"labelling-{run.number}")
