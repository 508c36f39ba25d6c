"""Where backups lie: one folder each, named by its time, that appears whole or not at all; and whether a disk has
room for one: looked at before something is written, and named if it fills up all the same."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from annotation.release.write_protection import remove_folder
from backend.operate.backups.errors import AnotherIsRunning, NotEnoughSpace
from backend.operate.backups.manifest import MANIFEST
from corpus.atomic_files import FolderBusy, sole_writer, sync_directory

_NAME = re.compile(r"attune-\d{8}T\d{6}Z")
_PART = ".part"


@contextmanager
def backup_in_making(target: Path, now: datetime) -> Iterator[Path]:
    """An empty folder that nobody takes for a backup; what killed ones left behind goes first."""
    target.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with sole_writer(target):
            for left in target.glob(f".attune-*{_PART}"):
                remove_folder(left)
            making = target / f".{backup_name(now)}{_PART}"
            making.mkdir(mode=0o700)
            try:
                yield making
            finally:
                remove_folder(making)
    except FolderBusy as error:
        raise AnotherIsRunning(target) from error


def backup_name(now: datetime) -> str:
    return f"attune-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def put_into_place(making: Path) -> Path:
    """Every folder's list of names reaches the disk before the one rename that makes it a backup."""
    for root, _, _ in os.walk(making):
        sync_directory(Path(root))
    place = making.with_name(making.name.removeprefix(".").removesuffix(_PART))
    making.rename(place)
    sync_directory(place.parent)
    return place


def backups_in(target: Path) -> list[Path]:
    """The newest first."""
    found = [path for path in target.iterdir() if _NAME.fullmatch(path.name)] if target.is_dir() else []
    return sorted((path for path in found if (path / MANIFEST).is_file()), reverse=True)


def made_at(backup: Path) -> datetime:
    return datetime.strptime(backup.name, "attune-%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)


def prune(target: Path, *, keep: int) -> list[Path]:
    """Renamed before it is removed: a kill in between leaves nothing that looks like a backup."""
    gone = backups_in(target)[keep:]
    for backup in gone:
        hidden = backup.with_name(f".{backup.name}{_PART}")
        backup.rename(hidden)
        remove_folder(hidden)
    return gone


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
