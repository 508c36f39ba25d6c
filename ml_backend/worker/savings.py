"""An order to read the savings meter."""

from __future__ import annotations

from pathlib import Path

from corpus.whole_files import replace_file
from learning.learning_curves.meter import encode_reading
from learning.learning_curves.study_labels import decode_study_labels
from learning.tasks.folder import OrderFolder
from learning.tasks.orders import SavingsAnswer, SavingsOrder
from ml_backend.curves.measure_savings import MeterSettings, measure_savings
from ml_backend.worker.progress import Progress

READING = "reading.json"


def savings(folder: OrderFolder, order: SavingsOrder, progress: Progress) -> SavingsAnswer:
    labels = decode_study_labels(Path(order.labels).read_bytes())
    progress.say(f"Comparing {len(labels.items):,} labelled items")
    settings = MeterSettings(order.n_trials, order.seed, order.n_next, order.worthwhile)
    reading = measure_savings(labels, settings, progress.say)
    replace_file(folder.path / READING, encode_reading(reading))
    return SavingsAnswer(reading=READING)
