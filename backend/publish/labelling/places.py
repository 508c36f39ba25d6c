"""Where the texts of a labelling run lie while they are labelled."""

from __future__ import annotations

from backend.core.ml_tasks.folders import tasks_home
from backend.publish.labelling.models import LabellingRun
from learning.labelling.folder import ShardTexts
from learning.tasks.folder import TaskFolder


def label_folder(run: LabellingRun) -> TaskFolder:
    """One for each run, whatever its job, so that the texts in it serve the next job too. Among what passes: no backup
    takes them along, and a run stages them again."""
    return TaskFolder(tasks_home(run.study) / f"labelling-{run.number}")


def staged_texts(run: LabellingRun) -> ShardTexts:
    return ShardTexts(label_folder(run).path)
