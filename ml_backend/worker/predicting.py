"""A task to predict texts, and to say where each lies among the others."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from learning.predictions.files import PARQUET, write_predictions
from learning.tasks.contract import PredictRequest, PredictResult
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter
from learning.tasks.texts import read_texts
from ml_backend.adapters.folder import load_adapter
from ml_backend.examples import Example
from ml_backend.torch_setup import use_threads

PREDICTIONS, EMBEDDINGS = f"predictions{PARQUET}", "embeddings.npy"


def predict(folder: TaskFolder, request: PredictRequest, progress: ProgressWriter) -> PredictResult:
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
