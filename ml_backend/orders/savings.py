"""An order to read the savings meter."""

from __future__ import annotations

from pathlib import Path

from annotation.learning_curves.meter import encode_reading
from annotation.learning_curves.study_labels import decode_study_labels
from annotation.orders.folder import OrderFolder
from annotation.orders.orders import SavingsAnswer, SavingsOrder
from corpus.whole_files import replace_file
from ml_backend.curves.measure_savings import MeterSettings, measure_savings
from ml_backend.orders.progress import Progress

READING = "reading.json"


def savings(folder: OrderFolder, order: SavingsOrder, progress: Progress) -> SavingsAnswer:
    labels = decode_study_labels(Path(order.labels).read_bytes())
    progress.say(f"Comparing {len(labels.items):,} labelled items")
    settings = MeterSettings(order.n_trials, order.seed, order.n_next, order.worthwhile)
    reading = measure_savings(labels, settings, progress.say)
    replace_file(folder.path / READING, encode_reading(reading))
    return SavingsAnswer(reading=READING)
