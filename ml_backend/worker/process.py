"""One task in one process: takes the folder's lock and a slot, works, and leaves a result or the reason why not."""

from __future__ import annotations

import logging
import os
import time
import traceback
from argparse import Namespace
from contextlib import AbstractContextManager, nullcontext

from corpus.atomic_files import replace_file
from learning.tasks.contract import TaskRequest
from learning.tasks.folder import TaskFolder, TaskUnreadable
from learning.tasks.locks import LockTaken, hold_lock
from learning.tasks.progress import ProgressWriter
from ml_backend.failures import reason_of
from ml_backend.processes import DiedElsewhere, ExitCode
from ml_backend.worker.kinds import is_elsewhere, work_on
from ml_backend.worker.watchdog import watch_over

logger = logging.getLogger(__name__)
# A process that dies of the same task again and again must not be given it for ever.
MOST_TRIES = 3


class DiedTooOften(RuntimeError):
    def __init__(self, times: int) -> None:
        super().__init__(
            f"the process stopped {times} times in the middle; look for a lack of memory, then try again."
        )


def run_task(options: Namespace) -> int:
    """The exit code says how it ended; see `ExitCode`."""
    folder = TaskFolder(options.folder)
    try:
        with folder.hold():
            return _work_alone(folder, with_parent=options.with_parent)
    except LockTaken:
        return ExitCode.TAKEN


def _work_alone(folder: TaskFolder, *, with_parent: bool) -> int:
    if folder.result.exists():
        return ExitCode.DONE
    if not folder.may_begin(time.time()):
        return ExitCode.ABANDONED
    try:
        request = folder.read_request()
    except TaskUnreadable as problem:
        folder.write_failure(str(problem))
        return ExitCode.FAILED
    try:
        with _slot(folder, request):
            watch_over(folder, with_parent=with_parent)
            return _try(folder, request)
    except LockTaken:
        return ExitCode.BUSY


def _slot(folder: TaskFolder, request: TaskRequest) -> AbstractContextManager[None]:
    """Of this machine, which a task that is computed elsewhere does not need."""
    return nullcontext() if is_elsewhere(request) else hold_lock(folder.slot(request))


def _try(folder: TaskFolder, request: TaskRequest) -> int:
    """What comes of a request that a newer one took the place of is not written: it would pass for the other's."""
    os.nice(5)
    replace_file(folder.pid, str(os.getpid()).encode())
    code = ExitCode.DONE
    try:
        if folder.tries.begin() > MOST_TRIES:
            raise DiedTooOften(MOST_TRIES)
        result = work_on(folder, request, ProgressWriter(folder.progress))
        if folder.asks_for(request):
            folder.write_result(result)
    except DiedElsewhere:
        code = ExitCode.DIED
    except Exception as problem:
        code = ExitCode.FAILED
        trace = "".join(traceback.format_tb(problem.__traceback__))
        logger.error("Task %s failed:\n%s%s", folder.path.name, trace, type(problem).__name__)
        if folder.asks_for(request):
            folder.write_failure(reason_of(problem))
    finally:
        if code is not ExitCode.DIED:
            folder.tries.end()
    return code if folder.asks_for(request) else ExitCode.STOPPED
