"""Where a study's reports lie, and who may write there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotation.release.write_protection import build_folder, remove_folder
from backend.core.studies.models import Study
from backend.publish.reports.errors import ReportsBusy
from backend.publish.reports.models import reports_folder
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
