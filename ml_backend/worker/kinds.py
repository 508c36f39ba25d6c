"""Does what a request asks for; each kind imports what it needs by itself, so that what is measured in a second does
not wait for libraries that it never uses."""

from __future__ import annotations

import os

from learning.tasks.contract import (
    AgreementRequest,
    CompareRequest,
    ExamineRequest,
    LabelRequest,
    PredictRequest,
    ProbeRequest,
    SavingsRequest,
    TaskRequest,
    TaskResult,
    TrainRequest,
    TransferRequest,
)
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter
from ml_backend.pools.choice import cluster_pool, uses_cluster


def is_elsewhere(request: TaskRequest) -> bool:
    """Whether it is computed on a cluster alone, so that many such tasks go on beside each other."""
    return isinstance(request, TrainRequest) and uses_cluster(os.environ)


def work_on(folder: TaskFolder, request: TaskRequest, progress: ProgressWriter) -> TaskResult:
    match request:
        case TrainRequest() if is_elsewhere(request):
            from ml_backend.worker.training_cell import train_on

            return train_on(cluster_pool(os.environ), folder, request, progress)
        case TrainRequest():
            from ml_backend.worker.training import train

            return train(folder, request, progress)
        case PredictRequest():
            from ml_backend.worker.predicting import predict

            return predict(folder, request, progress)
        case LabelRequest():
            from ml_backend.labelling.driver import label

            return label(folder, request, progress)
        case ExamineRequest():
            from ml_backend.worker.examining import examine

            return examine(request, progress)
        case ProbeRequest():
            from ml_backend.worker.probing import probe

            return probe(request, progress)
        case CompareRequest():
            from ml_backend.worker.measuring import compare_kept

            return compare_kept(request, progress)
        case TransferRequest():
            from ml_backend.worker.transferring import transfer

            return transfer(folder, request, progress)
        case SavingsRequest():
            from ml_backend.worker.measuring import read_savings

            return read_savings(folder, request, progress)
        case AgreementRequest():
            from ml_backend.worker.measuring import measure_agreement

            return measure_agreement(folder, request)
