"""Where a study's reports lie, and who may write there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from analysis.report.content import MANIFEST
from annotation.release.write_protection import build_folder, remove_folder
from backend.core.studies.models import Study
from backend.core.web.zips import zip_pieces
from backend.publish.reports.errors import NotAsMade, ReportsBusy
from backend.publish.reports.files import problems_of, read_manifest
from backend.publish.reports.models import Report, reports_folder
from corpus.atomic_files import FolderBusy, sync_directory


@contextmanager
def making_folder(study: Study) -> Iterator[Path]:
    """An empty folder beside the study's reports, for one writer at a time; what a kill left of earlier ones goes."""
    try:
        with build_folder(reports_folder(study)) as folder:
            yield folder
    except FolderBusy as error:
        raise ReportsBusy from error


def move_into_place(folder: Path, target: Path) -> None:
    """One rename. What a process that died before its row was there has left at the place goes first."""
    remove_folder(target)
    folder.rename(target)
    sync_directory(target.parent)


# A report as one file.
def zip_name(report: Report) -> str:
    return f"{report.study.slug}-report-{report.number}.zip"


def zip_report(report: Report) -> Iterator[bytes]:
    """Refused before anything is sent if other files than those that were made lie there; the same bytes every time."""
    names = sorted([MANIFEST, *read_manifest(report).files])
    problems = problems_of(report)
    if problems:
        raise NotAsMade(problems)
    return zip_pieces(report.folder, names, f"{report.study.slug}-report-{report.number}")
