"""A transfer study as a task: a kill loses no finished model, and progress is counted."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from learning.tasks.contract import TransferRequest, TransferResult
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import CountLine, ProgressWriter, read_progress
from learning.transfer.results import read_results
from ml_backend.processes import ExitCode
from ml_backend.worker.transferring import transfer
from tests.ml_backend.pools.here import HerePool
from tests.ml_backend.transfer.test_run import write_small_study
from tests.ml_backend.worker.test_process import start


def test_a_killed_task_loses_no_finished_model(
    tmp_path: Path, tiny_backbone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ML_LABEL_PROCESSES", "1")
    run, folder = tmp_path / "run", TaskFolder(tmp_path / "1-study" / "job-7")
    run.mkdir()
    request = TransferRequest(run_folder=str(run), study=write_small_study(run, tiny_backbone).name)
    folder.write_request(request)
    folder.beat()
    with start(folder) as process:
        deadline = time.monotonic() + 300
        while len(list(run.glob("cells/*.cell"))) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        process.kill()
        assert process.wait() != ExitCode.DONE
    kept = {path: path.read_bytes() for path in run.glob("cells/*.cell")}
    assert 2 <= len(kept) < 9 and not folder.result.exists()
    result = transfer(folder, request, ProgressWriter(folder.progress), HerePool())
    assert isinstance(result, TransferResult)
    assert all(path.read_bytes() == content for path, content in kept.items())
    counts = [line for line in read_progress(folder.progress).lines if isinstance(line, CountLine)]
    assert (counts[-1].done, counts[-1].total) == (9, 9)
    assert (len(kept), 9) in {(line.done, line.total) for line in counts}
    assert len(read_results(run / result.results).pairs) == 6
    assert (run / result.pairs).is_file()
