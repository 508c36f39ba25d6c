"""Runs the network over prepared examples and gives back raw scores, in the order they came."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from codebook.questions import ModelQuestion
from ml_backend.encoder.batches import batches, by_length
from ml_backend.encoder.losses import Outputs
from ml_backend.encoder.network import Network
from ml_backend.encoder.preparing import Prepared
from ml_backend.encoder.units import UnitsOfBatch
from ml_backend.learners.dev_scores import dev_f1
from ml_backend.learners.interface import Report
from ml_backend.learners.scores import Numbers, Scores, softmax

BATCH_SIZE = 32
BATCHES_BETWEEN_REPORTS = 20


def scores_of(
    network: Network, questions: Sequence[ModelQuestion], prepared: Sequence[Prepared], report: Report
) -> list[dict[str, Scores]]:
    found: list[dict[str, Scores]] = [{} for _ in prepared]
    network.eval()
    done = 0
    with torch.inference_mode():
        for n, places in enumerate(batches(prepared, by_length(prepared), BATCH_SIZE), start=1):
            batch = [prepared[at] for at in places]
            outputs, units = network(batch), UnitsOfBatch(batch)
            for question in questions:
                for at, scores in zip(places, _of_question(question, batch, outputs, units), strict=True):
                    if prepared[at].example.asks(question):
                        found[at][question.code_id] = scores
            done += len(batch)
            if n % BATCHES_BETWEEN_REPORTS == 0:
                report(f"Read {done:,} of {len(prepared):,} items")
    return found


def embeddings_of(network: Network, prepared: Sequence[Prepared]) -> NDArray[np.float32]:
    network.eval()
    found: list[NDArray[np.float32]] = [np.zeros(0, dtype=np.float32)] * len(prepared)
    with torch.inference_mode():
        for places in batches(prepared, by_length(prepared), BATCH_SIZE):
            rows = network.embed([prepared[at] for at in places]).numpy()
            for at, row in zip(places, rows, strict=True):
                found[at] = row
    return np.stack(found) if found else np.zeros((0, network.width), dtype=np.float32)


def _of_question(
    question: ModelQuestion, batch: Sequence[Prepared], outputs: Outputs, of_batch: UnitsOfBatch
) -> list[Scores]:
    code = question.code_id
    logits, marks = outputs[code]
    answers = np.zeros((len(batch), 0)) if logits is None else logits.double().numpy()
    spread: list[float | None] = [None] * len(batch)
    if answers.ndim == 3:
        answers, spread = _together(answers)
    if marks is None:
        return [Scores(row, spread=own) for row, own in zip(answers, spread, strict=True)]
    units = of_batch.logits(code, marks).double().numpy()
    places = [each.units[code].places for each in batch]
    return [Scores(answers[at], own, units[at, : len(own)], spread[at]) for at, own in enumerate(places)]


def _together(heads: Numbers) -> tuple[Numbers, list[float | None]]:
    """The mean of the heads' probabilities as logits, and how much of its probability a head puts elsewhere on
    average: 0 if all say the same."""
    probabilities = softmax(heads)
    mean = probabilities.mean(axis=1)
    apart = np.abs(probabilities - mean[:, None, :]).sum(axis=2).mean(axis=1) / 2
    return np.log(np.maximum(mean, 1e-12)), apart.tolist()


def mean_f1(
    questions: Sequence[ModelQuestion], prepared: Sequence[Prepared], scores: Sequence[dict[str, Scores]]
) -> float | None:
    """What training is stopped by."""
    return dev_f1(questions, [each.example for each in prepared], scores)
