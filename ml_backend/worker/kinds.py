"""Does what a request asks for; each kind imports what it needs by itself, so that what is measured in a second does
not wait for libraries that it never uses."""

from __future__ import annotations

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
)
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter


def work_on(folder: TaskFolder, request: TaskRequest, progress: ProgressWriter) -> TaskResult:
    match request:
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
        case SavingsRequest():
            from ml_backend.worker.measuring import read_savings

            return read_savings(folder, request, progress)
        case AgreementRequest():
            from ml_backend.worker.measuring import measure_agreement

            return measure_agreement(folder, request)
