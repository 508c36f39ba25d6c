"""Tasks that measure on files and load no model: agreement, kept predictions, the savings meter."""

from __future__ import annotations

from pathlib import Path

from corpus.atomic_files import replace_file
from learning.tasks.contract import (
    AgreementRequest,
    AgreementResult,
    CompareRequest,
    CompareResult,
    SavingsRequest,
    SavingsResult,
)
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter

REPORT, READING = "report.json", "reading.json"


def measure_agreement(
    folder: TaskFolder, request: AgreementRequest, progress: ProgressWriter
) -> AgreementResult:
    """Raises AgreementFileUnreadable."""
    from annotation.agreement.batch import measure_batch
    from annotation.agreement.files import decode_batch_judgments, decode_retest_judgments, encode
    from annotation.agreement.retest import measure_retest

    content = Path(request.answers).read_bytes()
    if request.is_retest:
        retests = decode_retest_judgments(content)
        report = encode(measure_retest(retests, resamples=request.resamples, seed=request.seed))
    else:
        judgments = decode_batch_judgments(content)
        report = encode(measure_batch(judgments, resamples=request.resamples, seed=request.seed))
    replace_file(folder.path / REPORT, report)
    return AgreementResult(report=REPORT)


def compare_kept(folder: TaskFolder, request: CompareRequest, progress: ProgressWriter) -> CompareResult:
    """Two files of predictions on the items of one part of a release."""
    from annotation.release.read import read_release
    from learning.predictions.files import read_predictions
    from learning.scoring.compare import compare

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
    settings = MeterSettings(request.n_trials, request.seed, request.n_next, request.worthwhile, request.look)
    reading = measure_savings(labels, settings, progress.say)
    replace_file(folder.path / READING, encode_reading(reading))
    return SavingsResult(reading=READING)
