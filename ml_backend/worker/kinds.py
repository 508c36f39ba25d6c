"""Does what a request asks for; each kind that needs more libraries than reading an adapter imports them itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from annotation.release.read import read_release
from corpus.atomic_files import replace_file
from learning.predictions.files import PARQUET, read_predictions, write_predictions
from learning.scoring.compare import compare
from learning.tasks.contract import (
    CompareRequest,
    CompareResult,
    ExamineRequest,
    PredictRequest,
    PredictResult,
    SavingsRequest,
    SavingsResult,
    TaskRequest,
    TaskResult,
    TrainRequest,
)
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter
from learning.tasks.texts import read_texts
from ml_backend.adapters.folder import load_adapter
from ml_backend.examples import Example
from ml_backend.torch_setup import use_threads
from ml_backend.worker.examining import examine
from ml_backend.worker.training import train

PREDICTIONS, EMBEDDINGS, READING = f"predictions{PARQUET}", "embeddings.npy", "reading.json"


def work_on(folder: TaskFolder, request: TaskRequest, progress: ProgressWriter) -> TaskResult:
    match request:
        case TrainRequest():
            return train(folder, request, progress)
        case PredictRequest():
            return predict(folder, request, progress)
        case ExamineRequest():
            return examine(request, progress)
        case CompareRequest():
            return compare_kept(request, progress)
        case SavingsRequest():
            return read_savings(folder, request, progress)


def predict(folder: TaskFolder, request: PredictRequest, progress: ProgressWriter) -> PredictResult:
    """Predict texts, and say where each lies among the others."""
    progress.say("Loading the adapter")
    adapter = load_adapter(Path(request.adapter_folder))
    use_threads(request.threads, with_torch=adapter.learner.uses_torch)
    examples = [Example(text) for text in read_texts(Path(request.texts))]
    progress.say(f"Predicting {len(examples):,} items")
    predictions = adapter.learner.predict(examples, adapter_id=adapter.card.id, report=progress.say)
    write_predictions(folder.path / PREDICTIONS, predictions, adapter.codebook)
    if request.embeddings:
        progress.say(f"Placing {len(examples):,} items among each other")
        vectors = adapter.learner.embed(examples)
        with (folder.path / EMBEDDINGS).open("wb") as handle:
            np.save(handle, vectors, allow_pickle=False)
    return PredictResult(
        adapter_id=adapter.card.id,
        predictions=PREDICTIONS,
        embeddings=EMBEDDINGS if request.embeddings else None,
        n_texts=len(examples),
        n_predicted=len(predictions),
    )


def compare_kept(request: CompareRequest, progress: ProgressWriter) -> CompareResult:
    """Two files of predictions on the items of one part of a release."""
    release = read_release(Path(request.release), expected_hash=request.release_hash)
    first, second = (
        read_predictions(Path(path), release.codebook) for path in (request.pair.first, request.pair.second)
    )
    progress.say(f"Comparing on {len(first):,} items")
    comparison = compare(
        release.rows,
        first,
        second,
        release.codebook,
        part_of_split=request.part,
        resamples=request.resamples,
        seed=request.seed,
    )
    return CompareResult(comparison=comparison)


def read_savings(folder: TaskFolder, request: SavingsRequest, progress: ProgressWriter) -> SavingsResult:
    """The savings meter, on a file of labels."""
    from learning.learning_curves.meter import encode_reading
    from learning.learning_curves.study_labels import decode_study_labels
    from ml_backend.curves.measure_savings import MeterSettings, measure_savings

    labels = decode_study_labels(Path(request.labels).read_bytes())
    progress.say(f"Comparing {len(labels.items):,} labelled items")
    settings = MeterSettings(request.n_trials, request.seed, request.n_next, request.worthwhile)
    reading = measure_savings(labels, settings, progress.say)
    replace_file(folder.path / READING, encode_reading(reading))
    return SavingsResult(reading=READING)
