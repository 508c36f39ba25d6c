"""The part of the data directory that belongs to the running processes: logs, signs of life, and a lock."""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

WORKERS = ("worker", "sync", "ml")


class LaunchError(Exception):
    """An instance did not start."""


class AlreadyRunning(LaunchError):
    """Two instances on one data directory would take each other's work."""

    def __init__(self, data_dir: Path) -> None:
        super().__init__(
            f"another Attune is running on {data_dir}. Stop it, or give this one its own directory: "
            "ATTUNE_DATA_DIR=/another/directory make run"
        )


@dataclass(frozen=True)
class Workplace:
    """Where the processes of one instance leave what the launcher looks at."""

    data_dir: Path

    @property
    def logs(self) -> Path:
        return self.data_dir / "logs"

    def ready_sign(self, worker: str) -> Path:
        """The file that a worker leaves once it takes work."""
        return self.data_dir / "run" / f"{worker}.ready"

    @property
    def beat_pid(self) -> Path:
        return self.data_dir / "run" / "beat.pid"

    def forget(self, name: str) -> None:
        """What a process of that name left when it ended."""
        (self.beat_pid if name == "beat" else self.ready_sign(name)).unlink(missing_ok=True)

    def log_of(self, name: str) -> Path:
        return self.logs / f"{name}.log"


def take_possession(workplace: Workplace) -> int:
    """Makes the directories, clears old signs of life, and holds the lock until this process ends."""
    for directory in (workplace.data_dir, workplace.logs, workplace.beat_pid.parent):
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = os.open(workplace.data_dir / "run" / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise AlreadyRunning(workplace.data_dir) from None
    for name in (*WORKERS, "beat"):
        workplace.forget(name)
    return lock
