"""`transfer`: a study in, its matrix, tests, importances, tables and figures out."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

from analysis.transfer import heatmap_files, table_files
from corpus.atomic_files import replace_file
from learning.transfer.features import PairFeatures
from learning.transfer.reading import PreparedStudy, prepare_study
from learning.transfer.results import TransferResults, summarise
from learning.transfer.tables import pairs_csv
from ml_backend.learners.interface import Report
from ml_backend.pools.choice import choose_pool
from ml_backend.pools.grid import OnProgress
from ml_backend.pools.interface import Pool, ignore
from ml_backend.transfer.run import run_grid


def transfer(options: Namespace, report: Report) -> None:
    pool = choose_pool(os.environ, options.workers, options.threads)
    results = run_study(options.study, options.out, pool, report)
    print("\n".join(results.conclusion))
    print(f"{options.out}: matrix.csv, tests.csv, importance.csv, heatmaps and tables")


def run_study(
    path: Path, out: Path, pool: Pool, report: Report, *, on_progress: OnProgress = ignore
) -> TransferResults:
    """All of it. Raises GridStopped, also where a signal stops it, and CellsFailed."""
    prepared = prepare_study(path)
    report_tasks(prepared, report)
    answers = run_grid(prepared.study, prepared.tasks, out, pool, report=report, on_progress=on_progress)
    results, features = summarise(prepared.study, prepared.tasks, answers, prepared.ratings)
    write_results(out, results, features)
    return results


def report_tasks(prepared: PreparedStudy, report: Report) -> None:
    for task in prepared.tasks:
        left_out = f", {task.n_left_out:,} left out as another part has them" if task.n_left_out else ""
        parts = (
            f"{len(task.train):,} to learn, {len(task.validation):,} to choose, {len(task.test):,} to test"
        )
        report(f"{task.name}: {task.kind.value}, {parts}{left_out}")


def write_results(out: Path, results: TransferResults, features: tuple[PairFeatures, ...]) -> None:
    """`transfer.json` last: where it is, all else is."""
    files = heatmap_files(results) | table_files(results, pairs_csv(features, results))
    for name, content in files.items():
        replace_file(out / name, content)
