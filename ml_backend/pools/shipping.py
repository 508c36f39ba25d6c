"""Folders as bytes, for workers that share no disk with who sends them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from annotation.release.manifest import file_names

Files = dict[str, bytes]


def pack(folder: Path) -> Files:
    return {name: (folder / name).read_bytes() for name in file_names(folder)}


def unpack(files: Mapping[str, bytes], folder: Path) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder
