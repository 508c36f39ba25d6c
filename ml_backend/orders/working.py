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
from ml_backend.orders.comparing import compare_kept
from ml_backend.orders.examining import examine
from ml_backend.orders.predicting import predict
from ml_backend.orders.progress import Progress
from ml_backend.orders.savings import savings
from ml_backend.orders.training import train


def work_on(folder: OrderFolder, order: Order, progress: Progress) -> Answer:
    match order:
        case TrainOrder():
            return train(folder, order, progress)
        case PredictOrder():
            return predict(folder, order, progress)
        case ExamineOrder():
            return examine(order, progress)
        case CompareOrder():
            return compare_kept(order, progress)
        case SavingsOrder():
            return savings(folder, order, progress)
