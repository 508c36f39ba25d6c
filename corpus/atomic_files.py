"""Writes files so that nobody ever reads a part of one, whoever writes, and even after a power cut."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout


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


class FolderBusy(OSError):
    """Another process writes to the folder."""


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """The lock goes away with its process, however that ends."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / ".lock", timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise FolderBusy(f"Another process writes to {folder}: try again when it is done.") from error
    try:
        yield
    finally:
        lock.release()
