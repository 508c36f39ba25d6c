"""A process of this machine that works for `LocalPool`: `python -m ml_backend.pools.worker_process FD`, where FD is its
end of a pipe. It leaves at once when the other end is closed, with whoever held it."""

from __future__ import annotations

import os
import queue
import sys
import threading
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from ml_backend.pools.worker import Worker
from ml_backend.processes import ExitCode


def main(pipe: Connection) -> None:
    """What comes is taken at once, so that the driver never waits until a cell is done to send the next."""
    os.nice(5)
    asked: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(pipe, asked), daemon=True).start()
    worker = Worker()
    pipe.send(worker.load(asked.get()))
    while True:
        pipe.send(worker.run(asked.get(), pipe.send))


def _receive(pipe: Connection, asked: queue.SimpleQueue[Any]) -> None:
    with suppress(EOFError, OSError):
        while True:
            asked.put(pipe.recv())
    os._exit(ExitCode.STOPPED)


if __name__ == "__main__":
    main(Connection(int(sys.argv[1])))
