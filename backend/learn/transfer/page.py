"""The matrix of a transfer study as rows of a page, and its files by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from backend.core.web.charts.report import ReportFigure, report_figures
from backend.learn.transfer.models import TransferRun
from learning.transfer.results import TaskFacts, TransferResults
from learning.transfer.study import TaskKind
from learning.transfer.tables import METRIC, best_score, score_after

CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
}


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """Of a target after a source; what looks the same as the best of its column is the best, too."""

    score: float | None
    is_baseline: bool
    is_best: bool


@dataclass(frozen=True, slots=True)
class Matrix:
    """Targets of one kind across, sources down."""

    metric: str
    targets: tuple[str, ...]
    rows: tuple[tuple[str, tuple[MatrixCell, ...]], ...]


def matrices(results: TransferResults) -> list[Matrix]:
    return [_matrix(results, kind) for kind in TaskKind if results.of_kind(kind)]


def _matrix(results: TransferResults, kind: TaskKind) -> Matrix:
    targets = results.of_kind(kind)
    columns = [_column(results, target) for target in targets]
    rows = tuple(
        (source.name, tuple(column[at] for column in columns)) for at, source in enumerate(results.tasks)
    )
    return Matrix(METRIC[kind], tuple(target.name for target in targets), rows)


def _column(results: TransferResults, target: TaskFacts) -> Sequence[MatrixCell]:
    scores = [score_after(results, source, target) for source in results.tasks]
    best = best_score(results, target)
    return [
        MatrixCell(score, source is target, score is not None and round(score, 2) == best)
        for source, score in zip(results.tasks, scores, strict=True)
    ]


def figures(results: TransferResults) -> tuple[ReportFigure, ...]:
    from analysis.transfer import transfer_heatmap  # takes long to load

    charts = [chart for kind in TaskKind if (chart := transfer_heatmap(results, kind)) is not None]
    return tuple(figure for chart in charts for figure in report_figures([chart]))


def file_names(run: TransferRun, results: TransferResults) -> list[str]:
    from analysis.transfer import heatmap_names, table_files

    return [*table_files(results, run.pairs), *heatmap_names(results)]


def file_of(run: TransferRun, name: str) -> bytes | None:
    """None if it is not done, or has no such file. Heatmaps are drawn when they are asked for."""
    from analysis.transfer import heatmap_files, heatmap_names, table_files

    results = run.read_results()
    if results is None:
        return None
    if name in heatmap_names(results):
        return heatmap_files(results)[name]
    return table_files(results, run.pairs).get(name)


def zip_of(run: TransferRun) -> bytes | None:
    """All of them; None if it is not done. Times are left out, so that only contents and names count."""
    from analysis.transfer import heatmap_files, table_files

    results = run.read_results()
    if results is None:
        return None
    written = BytesIO()
    with ZipFile(written, "w", ZIP_DEFLATED) as archive:
        for name, content in (table_files(results, run.pairs) | heatmap_files(results)).items():
            archive.writestr(ZipInfo(f"transfer-{run.number}/{name}"), content)
    return written.getvalue()
