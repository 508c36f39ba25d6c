"""Locks that go away with the process that holds them, however it ends."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

LOOKS, LOOK_SECONDS = 10, 0.05


class LockTaken(OSError):
    """Another process holds the lock."""


@contextmanager
def hold_lock(path: Path, *, looks: int = LOOKS) -> Iterator[None]:
    """Raises LockTaken if somebody has it for longer than it takes to look; with one look, at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as handle:
        _take(handle, path, looks)
        yield


def _take(handle: IO[str], path: Path, looks: int) -> None:
    for left in reversed(range(looks)):
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if not left:
                raise LockTaken(f"{path} is held by another process.") from error
            time.sleep(LOOK_SECONDS)


def is_held(path: Path) -> bool:
    """Looking takes a shared lock for a moment, which is why `hold_lock` tries more than once."""
    try:
        with path.open("r") as handle:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False
