"""Where a study's releases lie, and who may write there."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from backend.releases.errors import ReleasesBusy
from backend.releases.models import releases_folder
from backend.studies.models import Study
from corpus.whole_files import FolderBusy, sole_writer

MAKING = ".making-"


@contextmanager
def making_folder(study: Study) -> Iterator[Path]:
    """An empty folder beside the study's releases, for one writer at a time; what a kill left of earlier ones goes."""
    home = releases_folder(study)
    try:
        with sole_writer(home):
            for left in home.glob(f"{MAKING}*"):
                shutil.rmtree(left)
            folder = Path(mkdtemp(prefix=MAKING, dir=home))
            try:
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)
    except FolderBusy as error:
        raise ReleasesBusy from error


def clear_orphan(target: Path) -> None:
    """A folder that no row knows was renamed by a process that died before its row was there."""
    if target.exists():
        shutil.rmtree(target)
