"""A folder as one file, made while it is sent: no copy on disk, and the same bytes every time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from io import RawIOBase
from pathlib import Path
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

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


def zip_pieces(folder: Path, names: Sequence[str], top: str) -> Iterator[bytes]:
    """These files of the folder, under `top`; times are left out, so that only contents and names count."""
    outlet = _Outlet()
    with ZipFile(outlet, "w", ZIP_DEFLATED) as archive:
        for name in names:
            entry = ZipInfo(f"{top}/{name}")
            entry.compress_type = ZIP_DEFLATED
            with _open(folder / name) as source, archive.open(entry, "w", force_zip64=True) as target:
                while chunk := source.read(CHUNK):
                    target.write(chunk)
                    yield outlet.taken()
    yield outlet.taken()


def _open(path: Path) -> BinaryIO:
    """Never what a link leads to."""
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb")
