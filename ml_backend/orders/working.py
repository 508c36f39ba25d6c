"""Does what an order asks for."""

from __future__ import annotations

from annotation.orders.folder import OrderFolder
from annotation.orders.orders import (
    Answer,
    CompareOrder,
    ExamineOrder,
    Order,
    PredictOrder,
    SavingsOrder,
    TrainOrder,
)
from ml_backend.orders.progress import Progress


def work_on(folder: OrderFolder, order: Order, progress: Progress) -> Answer:
    """Each kind imports what it needs and no other: the libraries behind take seconds to load."""
    match order:
        case TrainOrder():
            from ml_backend.orders.training import train

            return train(folder, order, progress)
        case PredictOrder():
            from ml_backend.orders.predicting import predict

            return predict(folder, order, progress)
        case ExamineOrder():
            from ml_backend.orders.examining import examine

            return examine(order, progress)
        case CompareOrder():
            from ml_backend.orders.comparing import compare_kept

            return compare_kept(order, progress)
        case SavingsOrder():
            from ml_backend.orders.savings import savings

            return savings(folder, order, progress)
