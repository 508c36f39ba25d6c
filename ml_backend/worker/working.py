"""Does what an order asks for."""

from __future__ import annotations

from learning.tasks.folder import OrderFolder
from learning.tasks.orders import (
    Answer,
    CompareOrder,
    ExamineOrder,
    Order,
    PredictOrder,
    SavingsOrder,
    TrainOrder,
)
from ml_backend.worker.progress import Progress


def work_on(folder: OrderFolder, order: Order, progress: Progress) -> Answer:
    """Each kind imports what it needs and no other: the libraries behind take seconds to load."""
    match order:
        case TrainOrder():
            from ml_backend.worker.training import train

            return train(folder, order, progress)
        case PredictOrder():
            from ml_backend.worker.predicting import predict

            return predict(folder, order, progress)
        case ExamineOrder():
            from ml_backend.worker.examining import examine

            return examine(order, progress)
        case CompareOrder():
            from ml_backend.worker.comparing import compare_kept

            return compare_kept(order, progress)
        case SavingsOrder():
            from ml_backend.worker.savings import savings

            return savings(folder, order, progress)
