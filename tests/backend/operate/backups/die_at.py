"""Backs up or restores and is killed at a chosen step; run as a process of its own.

Arguments: back_up or restore, the folder, and the beginning of the line at which to die.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import django


def main(doing: str, folder: Path, deadly_step: str) -> None:
    django.setup()
    from django.utils import timezone

    from backend.operate.backups.making import Wishes, back_up
    from backend.operate.backups.restoring import RestoreWishes, restore

    def die_there(line: str) -> None:
        if line.startswith(deadly_step):
            os.kill(os.getpid(), signal.SIGKILL)

    if doing == "back_up":
        back_up(target=folder, wishes=Wishes(), now=timezone.now(), report=die_there)
    else:
        restore(backup=folder, wishes=RestoreWishes(), report=die_there)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
