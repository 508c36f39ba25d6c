"""Ends the process of an order as soon as it is told to, its parent is gone, or nobody wants it any more.

At once and without cleaning up: what is on disk has to bear a kill at any moment anyway.
"""

from __future__ import annotations

import os
import sys
import threading
import time

from annotation.orders.folder import GO_ON_WITHIN_SECONDS, OrderFolder
from ml_backend.orders.ends import End

LOOK_EVERY_SECONDS = 0.2


def watch(folder: OrderFolder, *, with_parent: bool) -> None:
    """From two threads of its own; torch lets them run while it computes."""
    _start(_watch_folder, folder)
    if with_parent:
        _start(_watch_parent, folder)


def _start(target: object, folder: OrderFolder) -> None:
    threading.Thread(target=target, args=(folder,), daemon=True).start()  # type: ignore[arg-type]


def _watch_folder(folder: OrderFolder) -> None:
    while True:
        waited = folder.wanted_since(time.time())
        if folder.cancel.exists() or waited is None or waited > GO_ON_WITHIN_SECONDS:
            _leave(folder)
        time.sleep(LOOK_EVERY_SECONDS)


def _watch_parent(folder: OrderFolder) -> None:
    """Nothing ever comes through the pipe but its end."""
    sys.stdin.buffer.read()
    _leave(folder)


def _leave(folder: OrderFolder) -> None:
    """That was no fault of the order."""
    folder.end_try()
    os._exit(End.LEFT)
