"""Writes files so that nobody ever reads a part of one, whoever writes, and even after a power cut."""

import os
import uuid
from pathlib import Path


def replace_file(path: Path, content: bytes) -> None:
    """Readers see the old content or the new one; of two writers at once, the last one's."""
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex}.new")
    try:
        with temporary.open("wb") as handle:
            handle.write(content)
            handle.flush()
            os.fsync(handle.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_directory(path.parent)


def sync_directory(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
