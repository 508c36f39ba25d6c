"""Does what a request asks for, by its kind. Functions are looked up by their names, so that what is measured in a
second does not wait for libraries that it never uses."""

from __future__ import annotations

import os

from learning.tasks.contract import TaskRequest, TaskResult, TrainRequest
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter
from ml_backend.pools.choice import uses_cluster
from ml_backend.pools.worker import find_function

TRAIN_ON_CLUSTER = "ml_backend.worker.training_cell.train_on_cluster"
# By the tag of a request; each is given the task's folder, the request and where it says how far it is
FUNCTIONS = {
    "train": "ml_backend.worker.training.train",
    "predict": "ml_backend.worker.predicting.predict",
    "label": "ml_backend.labelling.driver.label",
    "examine": "ml_backend.worker.examining.examine",
    "probe": "ml_backend.worker.probing.probe",
    "compare": "ml_backend.worker.measuring.compare_kept",
    "transfer": "ml_backend.worker.transferring.transfer",
    "savings": "ml_backend.worker.measuring.read_savings",
    "agreement": "ml_backend.worker.measuring.measure_agreement",
}


def is_elsewhere(request: TaskRequest) -> bool:
    """Whether it is computed on a cluster alone, so that many such tasks go on beside each other."""
    return isinstance(request, TrainRequest) and uses_cluster(os.environ)


def work_on(folder: TaskFolder, request: TaskRequest, progress: ProgressWriter) -> TaskResult:
    tag = str(request.__struct_config__.tag)
    function = find_function(TRAIN_ON_CLUSTER if is_elsewhere(request) else FUNCTIONS[tag])
    result: TaskResult = function(folder, request, progress)
    return result
