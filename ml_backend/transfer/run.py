"""Runs the grid of a transfer study on a pool: baselines, then pairs, each cell once whatever is stopped in between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from corpus.atomic_files import sole_writer
from learning.transfer.cells import CellAnswer, CellRequest, CellStore, GridCell, grid_of
from learning.transfer.splitting import Task
from learning.transfer.study import TransferStudy
from ml_backend.learners.interface import Report
from ml_backend.pools.grid import GridRun, OnProgress
from ml_backend.pools.interface import Cell, Pool, Work, ignore
from ml_backend.transfer.cells import SharedStudy

SET_UP, RUN_CELL = "ml_backend.transfer.cells.set_up", "ml_backend.transfer.cells.run_cell"


def run_grid(
    study: TransferStudy,
    tasks: Sequence[Task],
    folder: Path,
    pool: Pool,
    *,
    report: Report,
    on_progress: OnProgress = ignore,
) -> dict[GridCell, CellAnswer]:
    """What is in the folder already is not trained again. Raises CellsFailed and GridStopped."""
    cells, store = grid_of(study, tasks), CellStore(folder)
    shared = msgspec.msgpack.encode(SharedStudy(study.training, tuple(tasks)))
    with sole_writer(folder):
        n_done = sum(store.has(cell) for cell in cells)
        report(f"{len(cells)} models for {len(tasks)} tasks, {n_done} of them trained already")
        grid = GridRun(len(cells), n_done, report, on_progress)
        for stage in (_baselines(cells), _pairs(cells)):
            left = [cell for cell in stage if not store.has(cell)]
            work = Work(RUN_CELL, SET_UP, shared)
            grid.follow(pool.run(work, _payloads(left, cells, store)), left, store.keep)
        return {cell: store.read(cell) for cell in cells}


def _baselines(cells: Sequence[GridCell]) -> list[GridCell]:
    return [cell for cell in cells if cell.is_baseline]


def _pairs(cells: Sequence[GridCell]) -> list[GridCell]:
    return [cell for cell in cells if not cell.is_baseline]


def _payloads(left: Sequence[GridCell], cells: Sequence[GridCell], store: CellStore) -> Iterator[Cell]:
    """A pair is given what its source's baseline learned: that was trained once for all targets."""
    baselines = {(cell.target, cell.seed): cell for cell in _baselines(cells)}
    for number, cell in enumerate(left):
        source = baselines.get((cell.source, cell.seed))
        adapter = b"" if source is None else store.read(source).adapter
        request = CellRequest(cell.target, cell.seed, cell.source, adapter, cell.describes)
        yield Cell(number, msgspec.msgpack.encode(request))
