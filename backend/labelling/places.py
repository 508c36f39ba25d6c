"""Where the work of a labelling run lies while it lasts."""

from __future__ import annotations

from annotation.labelling.work import WorkFolder
from backend.labelling.models import LabellingRun
from backend.orders.folders import orders_home


def work_folder(run: LabellingRun) -> WorkFolder:
    """Among what passes: no backup takes the texts in it along, and a run stages them again."""
    return WorkFolder(orders_home(run.study) / f"labelling-{run.number}")
