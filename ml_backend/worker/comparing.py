"""An order to compare two files of predictions on the items of one part of a release."""

from __future__ import annotations

from pathlib import Path

from annotation.release.read import read_release
from learning.predictions.files import read_predictions
from learning.scoring.compare import compare
from learning.tasks.orders import CompareAnswer, CompareOrder
from ml_backend.worker.progress import Progress


def compare_kept(order: CompareOrder, progress: Progress) -> CompareAnswer:
    release = read_release(Path(order.release), expected_hash=order.release_hash)
    first, second = (
        read_predictions(Path(path), release.codebook) for path in (order.pair.first, order.pair.second)
    )
    progress.say(f"Comparing on {len(first):,} items")
    comparison = compare(
        release.rows,
        first,
        second,
        release.codebook,
        part_of_split=order.part,
        resamples=order.resamples,
        seed=order.seed,
    )
    return CompareAnswer(comparison=comparison)
