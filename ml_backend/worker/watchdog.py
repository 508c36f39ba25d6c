"""Ends a process that works as soon as it is told to, its parent is gone, or nobody waits for it any more.

At once and without cleaning up: what is on disk has to bear a kill at any moment anyway.
"""

from __future__ import annotations

import os
import sys
import threading
import time

from learning.tasks.folder import TaskFolder
from ml_backend.processes import ExitCode

LOOK_EVERY_SECONDS = 0.2


def watch_over(folder: TaskFolder, *, with_parent: bool) -> None:
    """From two threads of its own; torch lets them run while it computes."""

    def watch_folder() -> None:
        while folder.may_go_on(time.time()):
            time.sleep(LOOK_EVERY_SECONDS)
        leave()

    def watch_parent() -> None:
        """Nothing ever comes through the pipe but its end. Read without a buffer, whose lock would be in the way when
        the process ends by itself."""
        os.read(sys.stdin.fileno(), 1)
        leave()

    def leave() -> None:
        """That was no fault of the task."""
        folder.tries.end()
        os._exit(ExitCode.STOPPED)

    threading.Thread(target=watch_folder, daemon=True).start()
    if with_parent:
        threading.Thread(target=watch_parent, daemon=True).start()
