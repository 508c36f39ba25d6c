"""A release as one file, made while it is sent: no copy on disk, and the same bytes every time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from io import RawIOBase
from pathlib import Path
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from annotation.release.manifest import MANIFEST
from annotation.release.read import read_manifest
from annotation.release.verify import glance_at
from backend.releases.errors import FolderMissing, NotAsFrozen
from backend.releases.models import Release

CHUNK = 1 << 18


class _Outlet(RawIOBase):
    """Holds what was written until it is taken away."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, piece: bytes, /) -> int:  # type: ignore[override]
        self._pieces.append(bytes(piece))
        return len(piece)

    def taken(self) -> bytes:
        content = b"".join(self._pieces)
        self._pieces.clear()
        return content


def zip_name(release: Release) -> str:
    return f"{release.study.slug}-release-{release.number}.zip"


def zipped(release: Release) -> Iterator[bytes]:
    """Refused before anything is sent if there is nothing to send, or if other files than the frozen ones lie there."""
    if not (release.folder / MANIFEST).is_file():
        raise FolderMissing(release.folder)
    problems = glance_at(release.folder, expected_hash=release.hash)
    if problems:
        raise NotAsFrozen(release, [str(problem) for problem in problems])
    names = sorted([MANIFEST, *(entry.path for entry in read_manifest(release.folder).files)])
    return _pieces(release.folder, names, f"{release.study.slug}-release-{release.number}")


def _pieces(folder: Path, names: Sequence[str], top: str) -> Iterator[bytes]:
    outlet = _Outlet()
    with ZipFile(outlet, "w", ZIP_DEFLATED) as archive:
        for name in names:
            entry = ZipInfo(f"{top}/{name}")
            entry.compress_type = ZIP_DEFLATED
            with _opened(folder / name) as source, archive.open(entry, "w", force_zip64=True) as target:
                while chunk := source.read(CHUNK):
                    target.write(chunk)
                    yield outlet.taken()
    yield outlet.taken()


def _opened(path: Path) -> BinaryIO:
    """Never what a link leads to."""
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb")
