"""Where a study's reports lie, and who may write there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from annotation.release.sealing import remove_folder
from backend.reports.errors import ReportsBusy
from backend.reports.models import reports_folder
from backend.studies.models import Study
from corpus.whole_files import FolderBusy, sole_writer, sync_directory

MAKING = ".making-"


@contextmanager
def making_folder(study: Study) -> Iterator[Path]:
    """An empty folder beside the study's reports, for one writer at a time; what a kill left of earlier ones goes."""
    home = reports_folder(study)
    try:
        with sole_writer(home):
            for left in home.glob(f"{MAKING}*"):
                remove_folder(left)
            folder = Path(mkdtemp(prefix=MAKING, dir=home))
            try:
                yield folder
            finally:
                remove_folder(folder)
    except FolderBusy as error:
        raise ReportsBusy from error


def move_into_place(folder: Path, target: Path) -> None:
    """One rename. What a process that died before its row was there has left at the place goes first."""
    remove_folder(target)
    folder.rename(target)
    sync_directory(target.parent)
