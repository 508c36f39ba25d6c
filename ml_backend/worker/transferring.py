"""A task that runs a transfer study: each finished cell is kept in the run's folder, however often it is killed."""

from __future__ import annotations

import os
from pathlib import Path

from analysis.transfer import PAIRS
from learning.tasks.contract import TransferRequest, TransferResult
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import CountLine, ProgressWriter
from learning.transfer.results import RESULTS
from ml_backend.pools.choice import choose_pool
from ml_backend.pools.interface import Pool
from ml_backend.transfer.command import run_study


def transfer(
    folder: TaskFolder, request: TransferRequest, progress: ProgressWriter, pool: Pool | None = None
) -> TransferResult:
    """Raises CellsFailed once all models that can be trained are."""
    pool = pool or choose_pool(os.environ, len(os.sched_getaffinity(0)), 1)
    run, known = Path(request.run_folder), -1

    def follow(n_done: int, n_cells: int) -> None:
        nonlocal known
        progress.write(CountLine(n_done, n_cells))
        if 0 <= known < n_done:
            folder.tries.start_again()
        known = n_done

    run_study(run / request.study, run, pool, progress.say, on_progress=follow)
    return TransferResult(results=RESULTS, pairs=PAIRS)
