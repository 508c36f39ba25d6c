"""Drives a labelling run: lists once what is written, has a pool label the other shards, and alone writes what comes
back."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from corpus.atomic_files import replace_file
from learning.labelling.folder import RunFolder, ShardTexts, shards_in
from learning.tasks.contract import LabelRequest, LabelResult
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter, ShardLine, WorkersLine
from ml_backend.labelling.shards import LABEL_SHARD, LOAD, adapter_by_files, adapter_by_folder
from ml_backend.pools.choice import labelling_pool
from ml_backend.pools.interface import Cell, CellFailure, CellResult, Outcomes, Pool, PoolState, Work
from ml_backend.pools.local import LocalPool

# One after the other may be hopeless; what so many shards fail of, all will
MOST_FAILURES = 10


class ShardsFailed(RuntimeError):
    def __init__(self, failures: Sequence[CellFailure]) -> None:
        named = ", ".join(str(each.number) for each in failures)
        what = f"Shard {named}" if len(failures) == 1 else f"Shards {named}; of the last one"
        super().__init__(f"{what}: {failures[-1].reason} A new start goes on from what is labelled.")


def label(
    folder: TaskFolder, request: LabelRequest, progress: ProgressWriter, pool: Pool | None = None
) -> LabelResult:
    """Raises SetupFailed if no worker can begin, and ShardsFailed once all shards that can be labelled are."""
    pool = pool or labelling_pool(os.environ, len(os.sched_getaffinity(0)))
    run, texts = RunFolder(Path(request.run_folder)), ShardTexts(folder.path)
    pending = sorted(shards_in(texts.folder) - run.written_shards())
    n_labelled, failures = 0, list[CellFailure]()
    for outcome in _outcomes(pool, request, texts, pending, progress):
        match outcome:
            case CellResult():
                replace_file(run.labels_of(outcome.number), outcome.content)
                progress.write(ShardLine(outcome.number, outcome.machine_seconds))
                if not n_labelled:
                    folder.tries.start_again()
                n_labelled += 1
            case CellFailure():
                failures.append(outcome)
        if len(failures) == MOST_FAILURES:
            break
    if failures:
        raise ShardsFailed(failures)
    return LabelResult(n_shards=n_labelled)


def _outcomes(
    pool: Pool, request: LabelRequest, texts: ShardTexts, pending: Sequence[int], progress: ProgressWriter
) -> Outcomes:
    adapter = adapter_by_folder(request) if isinstance(pool, LocalPool) else adapter_by_files(request)
    work = Work(LABEL_SHARD, setup=LOAD, shared=adapter, ahead=1)
    progress.say("Loading the adapter")
    return pool.run(work, _cells(texts, pending), report=WorkerCount(progress))


def _cells(texts: ShardTexts, pending: Sequence[int]) -> Iterator[Cell]:
    return (Cell(shard, texts.of(shard).read_bytes()) for shard in pending)


class WorkerCount:
    """Says how many workers are ready when that changes."""

    def __init__(self, progress: ProgressWriter) -> None:
        self._progress = progress
        self._known = 0

    def __call__(self, state: PoolState) -> None:
        if state.n_workers != self._known:
            self._known = state.n_workers
            self._progress.write(WorkersLine(state.n_workers))
            self._progress.say("Labelling" if state.n_workers else "Starting workers")
