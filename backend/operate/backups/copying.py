"""Copies folders file by file and hashes what it reads, so that a copy can be held against its source; and says how far
long work is, every few seconds and not for every file."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from annotation.release.manifest import CHUNK, FileEntry
from backend.core.web.formats import filesize
from backend.operate.backups.sources import is_passing

Report = Callable[[str], None]
Heard = Callable[[int], None]
Leaves = Callable[[Path], bool]
SECONDS_BETWEEN = 5.0


class Progress:
    """Counts bytes towards a total that is known beforehand."""

    def __init__(self, report: Report, doing: str, total: int) -> None:
        self._report = report
        self._doing = doing
        self._total = total
        self._done = 0
        self._told = time.monotonic()

    def add(self, n_bytes: int) -> None:
        self._done += n_bytes
        if time.monotonic() - self._told >= SECONDS_BETWEEN:
            self._told = time.monotonic()
            self._report(f"{self._doing}: {filesize(self._done)} of about {filesize(self._total)}")


def copy_folder(source: Path, target: Path, *, heard: Heard, leaves: Leaves = is_passing) -> list[FileEntry]:
    """Entries are named from `target`. What vanishes meanwhile is left out: whoever calls knows what must be there."""
    entries = []
    target.mkdir(parents=True, exist_ok=True)
    for path in folder_files(source, leaves=leaves):
        relative = path.relative_to(source)
        try:
            entry = copy_file(path, target / relative, heard=heard)
        except FileNotFoundError:
            continue
        entries.append(FileEntry(relative.as_posix(), entry.size, entry.sha256))
    _keep_modes(source, target)
    return entries


def copy_file(source: Path, target: Path, *, heard: Heard) -> FileEntry:
    """On disk, and not only handed over, when this returns; a link becomes the file that it leads to."""
    digest, size = hashlib.sha256(), 0
    with source.open("rb") as reading:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as writing:
            while chunk := reading.read(CHUNK):
                writing.write(chunk)
                digest.update(chunk)
                size += len(chunk)
                heard(len(chunk))
            writing.flush()
            os.fsync(writing.fileno())
        target.chmod(os.fstat(reading.fileno()).st_mode & 0o777)
    return FileEntry(target.name, size, digest.hexdigest())


def folder_files(folder: Path, *, leaves: Leaves = is_passing) -> Iterator[Path]:
    """In the order of their names: what names others, such as a corpus' manifest, before what it names."""
    if not folder.is_dir():
        return
    for entry in sorted(folder.iterdir()):
        if leaves(entry):
            continue
        if entry.is_dir() and not entry.is_symlink():
            yield from folder_files(entry, leaves=leaves)
        elif entry.is_file():
            yield entry


def folder_size(folder: Path) -> int:
    total = 0
    for path in folder_files(folder):
        try:
            total += path.stat().st_size
        except FileNotFoundError:
            continue
    return total


def _keep_modes(source: Path, target: Path) -> None:
    """Sealed folders stay sealed; the innermost first, because nothing can be done inside a sealed one."""
    for root, _, _ in os.walk(target, topdown=False):
        here = Path(root)
        there = source / here.relative_to(target)
        if there.is_dir():
            here.chmod(there.stat().st_mode & 0o777)
