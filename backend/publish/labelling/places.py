"""Where the work of a labelling run lies while it lasts."""

from __future__ import annotations

from backend.core.ml_tasks.folders import tasks_home
from backend.publish.labelling.models import LabellingRun
from learning.labelling.work import WorkFolder


def work_folder(run: LabellingRun) -> WorkFolder:
    """Among what passes: no backup takes the texts in it along, and a run stages them again."""
    return WorkFolder(tasks_home(run.study) / f"labelling-{run.number}")
