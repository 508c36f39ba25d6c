"""Whether a disk has room: looked at before something is written to it, and named if it fills up all the same."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backend.operate.backups.errors import NotEnoughSpace


def refuse_full_disk(folder: Path, needed: int, *, freed: int = 0) -> None:
    """`freed` is what will be removed from it first; a folder that is not there yet is asked by its parent."""
    there = next(place for place in (folder, *folder.absolute().parents) if place.is_dir())
    free = shutil.disk_usage(there).free + freed
    if free < needed:
        raise NotEnoughSpace(folder, needed, free)


@contextmanager
def full_disk_named(folder: Path, needed: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise NotEnoughSpace(folder, needed, shutil.disk_usage(folder).free) from error
        raise
