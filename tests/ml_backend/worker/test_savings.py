"""A task to read the savings meter, as it lies in a folder."""

from __future__ import annotations

from pathlib import Path

from learning.learning_curves.meter import decode_reading
from learning.learning_curves.study_labels import encode_study_labels
from learning.tasks.contract import SavingsRequest, SavingsResult
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter, SaidLine, read_progress
from ml_backend.worker.kinds import work_on
from tests.ml_backend.curves.test_measure_savings import study


def test_the_meter_is_read_into_the_folder(tmp_path: Path) -> None:
    folder = TaskFolder(tmp_path / "1-study" / "job-7")
    folder.path.mkdir(parents=True)
    (folder.path / "labels.json").write_bytes(encode_study_labels(study(60, 40, chosen_words=5)))
    request = SavingsRequest(
        labels=str(folder.path / "labels.json"), n_trials=6, seed=1, n_next=30, worthwhile=0.02
    )
    folder.write_request(request)
    assert folder.read_request() == request
    result = work_on(folder, request, ProgressWriter(folder.progress))
    folder.write_result(result)
    assert folder.read_result() == result and isinstance(result, SavingsResult)
    reading = decode_reading((folder.path / result.reading).read_bytes())
    assert (reading.n_random, reading.n_chosen, reading.n_trials) == (60, 40, 6)
    assert reading.advice is not None
    assert (reading.advice.n_next, reading.advice.worthwhile) == (30, 0.02)
    said = [line.text for line in read_progress(folder.progress).lines if isinstance(line, SaidLine)]
    assert "Comparing 100 labelled items" in said and "Trial 6 of 6" in said
