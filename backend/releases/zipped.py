"""A release as one file, made while it is sent: no copy on disk, and the same bytes every time."""

from __future__ import annotations

from collections.abc import Iterator
from io import RawIOBase
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from annotation.release.manifest import MANIFEST, file_names
from backend.releases.errors import FolderMissing
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
    """Refused before anything is sent if there is nothing to send."""
    if not (release.folder / MANIFEST).is_file():
        raise FolderMissing(release.folder)
    return _pieces(release.folder, f"{release.study.slug}-release-{release.number}")


def _pieces(folder: Path, top: str) -> Iterator[bytes]:
    outlet = _Outlet()
    with ZipFile(outlet, "w", ZIP_DEFLATED) as archive:
        for name in file_names(folder):
            entry = ZipInfo(f"{top}/{name}")
            entry.compress_type = ZIP_DEFLATED
            with (folder / name).open("rb") as source, archive.open(entry, "w", force_zip64=True) as target:
                while chunk := source.read(CHUNK):
                    target.write(chunk)
                    yield outlet.taken()
    yield outlet.taken()
